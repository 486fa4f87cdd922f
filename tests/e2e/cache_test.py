"""compile --cache: hits are the same files and words, whatever changes is a miss, damage is found,
a place that fails is none."""
import hashlib
import http.server
import json
import os
import signal
import socket
import struct
import subprocess
import threading
import time

from harness import HLOCC, Test, hlocc, main, npy, snapshot

MODEL = "HloModule m\nENTRY e {\n x = f32[4] parameter(0)\n w = f32[4] parameter(1)\n ROOT s = f32[4] add(x, w)\n}\n"
CALLS = 'HloModule m\nENTRY e {\n x = f32[4] parameter(0)\n ROOT d = f32[2] custom-call(x), custom_call_target="my_filter"\n}\n'


class Server(http.server.BaseHTTPRequestHandler):
    """A cache as Bazel's users run it, in memory."""
    blobs, asked, status = {}, [], None
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=b""):
        self.send_response(self.status or status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.asked.append(("GET", self.path))
        body = self.blobs.get(self.path)
        self.answer(404 if body is None else 200, body or b"")

    def do_PUT(self):
        self.asked.append(("PUT", self.path))
        self.blobs[self.path] = self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(201)

    def log_message(self, *_):
        pass


def serve(handler):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class Cache(Test):
    def setUp(self):
        super().setUp()
        self.model = self.folder / "m.hlo.txt"
        self.model.write_text(MODEL)
        self.cache = self.folder / "cache"

    def compile(self, *flags, out="out", model=None, cache=None):
        """(hit, what it printed, what it said)"""
        before = self.records()
        ran = hlocc("compile", model or self.model, "--target", "cortex-m4f", "-o",
                    self.folder / out, "--cache", cache or self.cache, *flags)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return self.records() == before, ran.stdout.decode(), ran.stderr.decode()

    def records(self):
        return sorted(self.cache.glob("ac/*/*"))

    def blobs(self):
        return sorted(self.cache.glob("cas/*/*"))

    def same(self, one="out", other="again"):
        files = self.files(self.folder / one)
        self.assertEqual(files, self.files(self.folder / other))
        for name in files:
            self.assertEqual((self.folder / one / name).read_bytes(),
                             (self.folder / other / name).read_bytes(), name)

    def test_a_hit_is_the_same(self):
        calls = self.folder / "calls.hlo.txt"
        calls.write_text(CALLS)
        for model in (self.model, calls, snapshot("mlp_digits")):
            hit, printed, said = self.compile(model=model)
            self.assertFalse(hit)
            hit, again, said_again = self.compile(model=model, out="again")
            self.assertTrue(hit)
            self.same()
            self.assertEqual(printed.replace("/out", "/again"), again)
            self.assertEqual(said, said_again)
            plain = hlocc("compile", model, "--target", "cortex-m4f", "-o", self.folder / "out")
            self.assertEqual((plain.stdout.decode(), plain.stderr.decode()), (printed, said))
            for path in (self.folder / "out").iterdir():
                path.unlink()
            for path in (self.folder / "again").iterdir():
                path.unlink()
        self.assertIn("a function of yours", self.compile(model=calls)[2])
        first = json.loads(self.compile("--json")[1])
        self.assertEqual(
            first,
            json.loads(
                hlocc("compile", self.model, "--target", "cortex-m4f", "-o", self.folder / "out",
                      "--json").stdout))

    def test_what_counts(self):
        self.compile()
        (self.folder / "w.npy").write_bytes(npy("<f4", (4,), struct.pack("<4f", *[1, 2, 3, 4])))
        freeze = ("--freeze", f"w={self.folder / 'w.npy'}")
        for flags in (("-Os", ), ("--name", "acme::Sum"), ("--arg", "0=mfcc"),
                      ("--emit", "lib,header,asm"), ("--keep-arguments", ), freeze):
            self.assertFalse(self.compile(*flags)[0], flags)
            self.assertTrue(self.compile(*flags)[0], flags)
        # Where files go, what is said, and how files are called that no name is taken from, do not
        # count.
        self.assertTrue(self.compile("-q", "--depfile", self.folder / "d", out="deep/er")[0])
        self.assertEqual((self.folder / "d").read_text().count("m.hlo.txt"), 1)
        other = self.folder / "other.hlo.txt"
        other.write_text(MODEL)
        self.assertFalse(self.compile(model=other)[0])
        self.assertTrue(self.compile("--name", "acme::Sum", model=other)[0])
        # The content of files counts.
        self.model.write_text(MODEL.replace("add", "multiply"))
        self.assertFalse(self.compile()[0])
        self.model.write_text(MODEL)
        (self.folder / "w.npy").write_bytes(npy("<f4", (4,), struct.pack("<4f", *[1, 2, 3, 5])))
        self.assertFalse(self.compile(*freeze)[0])
        config = self.folder / "c.json"
        config.write_text('{"O": "s"}')
        self.assertTrue(self.compile("--config", config)[0])
        config.write_text('{"O": "1"}')
        self.assertFalse(self.compile("--config", config)[0])

    def test_what_is_not_kept(self):
        _, _, said = self.compile("--print-after", "plan")
        self.assertEqual((self.records(), self.blobs()), ([], []))
        self.assertIn("is not kept", said)
        self.refused(1, "budget", "compile", self.model, "--target", "cortex-m4f", "--ram", "1",
                     "-o", self.folder, "--cache", self.cache)
        self.assertEqual(self.records(), [])

    def test_damage(self):
        self.compile()
        [record], blobs = self.records(), self.blobs()
        whole = {path: path.read_bytes() for path in [record, *blobs]}
        for path in whole:
            for bad in (b"", whole[path][:-1], whole[path] + b"x",
                        whole[blobs[0]] if path != blobs[0] else whole[record]):
                path.write_bytes(bad)
                _, _, said = self.compile(out="again")
                self.same()
                self.assertIn(f"{path.parent.parent.name}/{path.name}", said)
                self.assertEqual(path.read_bytes(), whole[path])
        # A record under another's key.
        self.compile("-Os", out="os")
        [other] = [path for path in self.records() if path != record]
        record.write_bytes(other.read_bytes())
        self.assertIn(record.name, self.compile(out="again")[2])
        self.same()
        # A file that is gone is no damage, but a miss.
        blobs[0].unlink()
        self.assertEqual(self.compile(out="again")[2], "")
        self.assertTrue(blobs[0].exists())

    def test_verify(self):
        self.compile()
        self.assertTrue(self.compile("--cache-verify", "100")[0])
        [record] = self.records()
        body = json.loads(record.read_text().split("\n", 1)[1])
        wrong = b"another library"
        digest = hashlib.sha256(wrong).hexdigest()
        place = self.cache / "cas" / digest[:2]
        place.mkdir(parents=True, exist_ok=True)
        (place / digest).write_bytes(wrong)
        body["files"][0]["sha256"] = digest
        text = json.dumps(body, separators=(",", ":"))
        record.write_text(hashlib.sha256(text.encode()).hexdigest() + "\n" + text)
        self.assertTrue(self.compile()[0])  # nothing tells that it is wrong
        said = self.refused(3, "internal", "compile", self.model, "--target", "cortex-m4f", "-o",
                            self.folder / "out", "--cache", self.cache, "--cache-verify", "100")
        self.assertIn("libm_model.a is not what the cache's ac/", said)

    def test_variables(self):
        os.environ["HLOCC_CACHE"] = str(self.cache)
        self.addCleanup(os.environ.pop, "HLOCC_CACHE")
        command = ("compile", self.model, "--target", "cortex-m4f", "-o", self.folder / "out")
        os.environ["HLOCC_CACHE_READONLY"] = "1"
        self.done(*command)
        self.assertFalse(self.cache.exists())
        del os.environ["HLOCC_CACHE_READONLY"]
        self.done(*command)
        self.assertEqual(len(self.records()), 1)
        os.environ["HLOCC_CACHE_SIZE"] = "lots"
        self.addCleanup(os.environ.pop, "HLOCC_CACHE_SIZE")
        self.assertIn("HLOCC_CACHE_SIZE", self.refused(2, "usage", *command))

    def test_size(self):
        self.compile()
        one = sum(path.stat().st_size for path in self.records() + self.blobs())
        os.environ["HLOCC_CACHE_SIZE"] = str(2 * one)
        self.addCleanup(os.environ.pop, "HLOCC_CACHE_SIZE")
        first = self.records()
        for level in ("0", "1", "3", "s", "z"):
            self.compile(f"-O{level}")
            for path in first + [
                    path for path in self.blobs() if path.name in first[0].read_text()
            ]:
                os.utime(path)  # in use
        held = sum(path.stat().st_size for path in self.records() + self.blobs())
        self.assertLessEqual(held, 2 * one)
        self.assertTrue(self.compile()[0])
        self.assertFalse(self.compile("-O0")[0])  # the longest unused

    def test_places_that_fail(self):
        blocked = self.folder / "file"
        blocked.write_text("")
        for place in (blocked / "x", "/proc/hlocc"):
            hit, _, said = self.compile(cache=place)
            self.assertIn("compiled without it", said)
        self.assertIn("no such address",
                      self.refused(2, "usage", "compile", self.model, "--cache", "gopher://x"))

    def test_http(self):
        Server.blobs, Server.asked, Server.status = {}, [], None
        server = serve(Server)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        place = f"http://127.0.0.1:{server.server_port}/hlocc/"
        self.compile(cache=place)
        self.assertEqual({path.split("/")[2] for path in Server.blobs}, {"ac", "cas"})
        puts = len([1 for method, _ in Server.asked if method == "PUT"])
        self.assertEqual(puts, len(Server.blobs))
        self.assertEqual(self.compile(cache=place, out="again")[2], "")
        self.same()
        self.assertEqual(len([1 for method, _ in Server.asked if method == "PUT"]), puts)
        # A nearer place is filled by a farther one, and asked first.
        self.assertFalse(self.compile(cache=f"{self.cache},{place}")[0])
        asked = len(Server.asked)
        self.assertTrue(self.compile(cache=f"{self.cache},{place}")[0])
        self.assertEqual(len(Server.asked), asked)
        # A server's trouble is said once and costs nothing else.
        Server.status = 500
        said = self.compile("-Os", cache=place)[2]
        self.assertEqual(said.count("answers with 500"), 1)

    def test_http_that_is_none(self):
        talk = {
            "closes": b"", "rubbish": b"hello\n",
            "cut": b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
            "chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx"
        }
        for name, words in talk.items():
            with socket.create_server(("127.0.0.1", 0)) as listener:
                def answer(listener=listener, words=words):
                    while True:
                        try:
                            peer, _ = listener.accept()
                        except OSError:
                            return
                        peer.recv(4096)
                        peer.sendall(words)
                        peer.close()
                threading.Thread(target=answer, daemon=True).start()
                said = self.compile(cache=f"http://127.0.0.1:{listener.getsockname()[1]}",
                                    out=name)[2]
                self.assertIn("compiled without it", said, name)
                listener.shutdown(socket.SHUT_RDWR)
        with socket.create_server(("127.0.0.1", 0)) as silent:
            said = self.compile(cache=f"http://127.0.0.1:{silent.getsockname()[1]}",
                                out="silent")[2]
            self.assertIn("does not answer in time", said)
        self.assertIn("compiled without it",
                      self.compile(cache="http://127.0.0.1:1", out="none")[2])

    def test_writers_that_are_killed(self):
        """Eight writers, some of which are killed: what is there is whole."""
        levels = ["0", "1", "2", "3", "s", "z"]
        running, died = [], 0
        for turn in range(32):
            words = [
                HLOCC, "compile", self.model, "--target", ["cortex-m4f", "rv32imc"][turn % 2],
                f"-O{levels[turn % 6]}", "-q", "-o", self.folder / f"o{turn}", "--cache", self.cache
            ]
            running.append(subprocess.Popen(words, stderr=subprocess.DEVNULL))
            if turn % 4 == 3:
                time.sleep(0.01 * (turn % 5))
                running[turn - 2].send_signal(signal.SIGKILL)
            if len(running) >= 8:
                died += running[turn - 7].wait() != 0
        died += sum(process.wait() != 0 for process in running[-7:])
        self.assertLessEqual(died, 8)
        for path in self.blobs():
            if path.suffix != ".partial":
                self.assertEqual(hashlib.sha256(path.read_bytes()).hexdigest(), path.name)
        for path in self.records():
            if path.suffix != ".partial":
                digest, body = path.read_text().split("\n", 1)
                self.assertEqual(hashlib.sha256(body.encode()).hexdigest(), digest)


if __name__ == "__main__":
    main()
