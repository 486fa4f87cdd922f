"""cache.py HLOCC FOLDER [--operations N]: the cache of `compile` under load, and against a real
server.

Eight writers share a folder of 500 KB, which is too small for what they store; each fourth is
killed after up to 30 ms. Afterwards every blob must have the digest that it is called by, and every
record its own. Then Debian's nginx with its dav module, over HTTP and HTTPS. Prints operations, and
how many a second. Exit status 77 if nginx is missing."""
import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import time

MODEL = "HloModule m\nENTRY e {{\n x = f32[{n}] parameter(0)\n ROOT s = f32[{n}] negate(x)\n}}\n"
LEVELS = "0123sz"
NGINX = """daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
events {{}}
http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u;
 scgi_temp_path {folder}/s;
 server {{ listen 127.0.0.1:{port}; listen 127.0.0.1:{secure} ssl; ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;
  location /hlocc/ {{ root {folder}/root; dav_methods PUT; create_full_put_path on; client_max_body_size 1g; }} }} }}
"""


def compile_once(hlocc, folder, cache, number, kill_after=None, environment=None):
    """True if it was not killed."""
    words = [
        hlocc, "compile", folder / f"m{number % 40}.hlo.txt", "--target",
        ("cortex-m4f", "rv32imc")[number % 2], "-O" + LEVELS[number % 6], "-q", "-o",
        folder / f"out{number % 8}.{number}", "--cache", cache
    ]
    with subprocess.Popen(words, stderr=subprocess.PIPE, env=environment) as process:
        if kill_after is not None:
            time.sleep(kill_after)
            process.kill()
        said = process.stderr.read().decode()
        code = process.wait()
    shutil.rmtree(folder / f"out{number % 8}.{number}", ignore_errors=True)
    if kill_after is None and (code != 0 or said):
        sys.exit(f"{number}: exit code {code}: {said}")
    return code == 0


def damaged(cache):
    for path in cache.glob("cas/*/*"):
        if not path.name.endswith(".partial") and hashlib.sha256(
                path.read_bytes()).hexdigest() != path.name:
            yield path
    for path in cache.glob("ac/*/*"):
        digest, _, body = path.read_text().partition("\n")
        if not path.name.endswith(".partial") and hashlib.sha256(
                body.encode()).hexdigest() != digest:
            yield path


def stress(hlocc, folder, operations):
    cache, random_numbers = folder / "cache", random.Random(43)
    environment = {**os.environ, "HLOCC_CACHE_SIZE": "500K"}
    plan = [(number, random_numbers.uniform(0, 0.03) if number % 4 == 3 else None)
            for number in range(operations)]
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        whole = sum(
            pool.map(lambda one: compile_once(hlocc, folder, cache, *one, environment), plan))
    seconds = time.monotonic() - begin
    torn = list(damaged(cache))
    held = sum(path.stat().st_size for path in cache.glob("*/*/*"))
    print(
        f"{operations} compiles by 8 writers, {operations - whole} of them killed: {len(torn)} "
        f"damaged, {held} bytes held, "
        f"{operations / seconds:.0f} a second")
    if torn or held > 1 << 20:
        sys.exit(1)


def port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


def server(hlocc, folder):
    (folder / "root/hlocc").mkdir(parents=True)
    os.chmod(folder, 0o755)
    plain, secure = port(), port()
    subprocess.run([
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
        "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder / "key.pem",
        "-out", folder / "cert.pem"
    ],
                   check=True,
                   capture_output=True)
    (folder / "nginx.conf").write_text(("user root;\n" if os.getuid() == 0 else "") +
                                       NGINX.format(folder=folder, port=plain, secure=secure))
    with subprocess.Popen(["nginx", "-c", folder / "nginx.conf"],
                          stderr=subprocess.DEVNULL) as process:
        for _ in range(200):
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", plain)) == 0:
                    break
            time.sleep(0.05)
        trusted = {**os.environ, "CURL_CA_BUNDLE": str(folder / "cert.pem")}
        for number in range(12):
            compile_once(hlocc, folder, f"http://127.0.0.1:{plain}/hlocc", number)
        stored = len(list((folder / "root/hlocc/ac").iterdir()))
        for number in range(12):
            compile_once(hlocc, folder, f"http://127.0.0.1:{plain}/hlocc", number)
        print(
            f"nginx over HTTP: {stored} of 12 stored, "
            f"{len(list((folder / 'root/hlocc/ac').iterdir()))} after the second time"
        )
        words = [
            hlocc, "compile", folder / "m0.hlo.txt", "--target", "cortex-m4f", "-o", folder / "tls",
            "--cache", f"https://127.0.0.1:{secure}/hlocc"
        ]
        said = subprocess.run(words, capture_output=True, env=trusted, check=True).stderr.decode()
        print(f"nginx over HTTPS: {said.strip() or 'a hit without a word'}")
        process.kill()
    return stored == 12


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hlocc")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--operations", type=int, default=10000)
    wish = parser.parse_args()
    shutil.rmtree(wish.folder, ignore_errors=True)
    folder = wish.folder.resolve()
    folder.mkdir(parents=True)
    for number in range(40):
        (folder / f"m{number}.hlo.txt").write_text(MODEL.format(n=number + 4))
    stress(wish.hlocc, folder, wish.operations)
    if shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin") is None:
        return 77
    return 0 if server(wish.hlocc, folder) else 1


if __name__ == "__main__":
    sys.exit(main())
