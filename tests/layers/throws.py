"""throws.py ROOT: nothing in src/ and include/ calls what throws where the file system, or a number
in a text, is not as expected: std::filesystem has an overload with an error code for each call that
may fail, and its range loops have none at all; std::stoi and its like are std::from_chars
elsewhere.
"""
import pathlib
import re
import sys

NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)
CALLS = (
    "absolute|canonical|weakly_canonical|relative|proximate|copy|copy_file|copy_symlink|create_directory|create_directories"
    "|create_hard_link|create_symlink|create_directory_symlink|current_path|equivalent|exists|file_size|hard_link_count"
    "|is_block_file|is_character_file|is_directory|is_empty|is_fifo|is_other|is_regular_file|is_socket|is_symlink"
    "|last_write_time|permissions|read_symlink|remove|remove_all|rename|resize_file|space|status|symlink_status"
    "|temp_directory_path|directory_iterator|recursive_directory_iterator")
CALL = re.compile(rf"\b(?:fs|filesystem)::({CALLS})\s*(?:\w+\s*)?\(")
LOOP = re.compile(r"\bfor\s*\([^;)]*:[^;]*\bdirectory_iterator\b")
NUMBER = re.compile(r"\bstd::(sto(?:i|l|ll|ul|ull|f|d|ld))\s*\(")


def blanked(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def last_argument(code, start):
    """The last argument of the call whose '(' stands before `start`."""
    depth, begin = 1, start
    for at in range(start, len(code)):
        if code[at] in "([{":
            depth += 1
        elif code[at] in ")]}":
            depth -= 1
            if depth == 0:
                return code[begin:at].strip()
        elif code[at] == "," and depth == 1:
            begin = at + 1
    return ""


def throwing(text):
    """(line, call) of each call that throws."""
    code = NOISE.sub(blanked, text)
    error_codes = set(re.findall(r"std::error_code\s*&?\s*(\w+)", code))
    found = [
        (match, match.group(1))
        for match in CALL.finditer(code)
        if last_argument(code, match.end()) not in error_codes and not is_end_of_loop(code, match)
    ]
    found += [(match, "a loop over directory_iterator") for match in LOOP.finditer(code)]
    found += [(match, "std::" + match.group(1)) for match in NUMBER.finditer(code)]
    return sorted((code.count("\n", 0, match.start()) + 1, name) for match, name in found)


def is_end_of_loop(code, match):
    """directory_iterator() is the end of any folder."""
    return match.group(1).endswith("directory_iterator") and code[match.end():match.end() +
                                                                  1] == ")"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    errors = []
    for folder in ("src", "include"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in {".h", ".cpp", ".cc"}:
                errors += [
                    f"{path.relative_to(root)}:{line}: {name} throws: take the overload with an "
                    f"error code"
                    for line, name in throwing(path.read_text(encoding="utf-8"))
                ]
    print("\n".join(errors))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
