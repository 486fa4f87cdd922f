// wasm_board.mjs PROGRAM [ARGUMENT...]: runs a module that was linked with board_wasm.c. Its exit status is the program's; a trap
// ends with 99 and a word about it, as a core's exception does on other boards.
import fs from 'node:fs';

const kFault = 99;
const words = process.argv.slice(2);
const offsets = new Map(); // of open files: where the next byte is read
let memory;

class Exit {
  constructor(code) { this.code = code; }
}

const bytes = (at, size) => new Uint8Array(memory.buffer, at, size);

function text(at) {
  const all = new Uint8Array(memory.buffer);
  return Buffer.from(all.subarray(at, all.indexOf(0, at))).toString();
}

function writeAll(file, data) {
  for (let done = 0; done < data.length;) {
    try {
      done += fs.writeSync(file, data, done);
    } catch (failure) {
      if (failure.code !== 'EAGAIN') throw failure; // a full pipe
    }
  }
  return data.length;
}

const board = {
  exit(code) { throw new Exit(code & 255); },
  arguments(at, size) {
    const all = Buffer.from(words.map((word) => word + '\0').join(''));
    if (all.length > size) throw new Error('the arguments are too long');
    bytes(at, all.length).set(all);
    return words.length;
  },
  open(path, toWrite) {
    try {
      const file = fs.openSync(text(path), toWrite ? 'w' : 'r');
      offsets.set(file, 0);
      return file;
    } catch {
      return -1;
    }
  },
  read(file, at, size) {
    const got = fs.readSync(file, bytes(at, size), 0, size, offsets.get(file));
    offsets.set(file, offsets.get(file) + got);
    return got;
  },
  write(file, at, size) { return writeAll(file, bytes(at, size)); },
  seek(file, position) {
    offsets.set(file, position);
    return 0;
  },
  size(file) { return fs.fstatSync(file).size; },
  close(file) { fs.closeSync(file); },
};

try {
  const {instance} = await WebAssembly.instantiate(fs.readFileSync(words[0]), {board});
  memory = instance.exports.memory;
  instance.exports._start();
} catch (reason) {
  if (!(reason instanceof Exit)) console.error(`board: fault: ${reason}`);
  process.exitCode = reason instanceof Exit ? reason.code : kFault;
}
