"""nginx for tests: with a file of the documentation, on ports of its own, and on loopback alone."""

import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "host.md"
BLOCK = re.compile(r'^```\w+ file="([^"]+)"\n(.*?)^```$', re.DOTALL | re.MULTILINE)
MISSING = "there is no nginx to test with: `apt-get install nginx-light`"
AROUND = """
{user}
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  {inside}
}}
"""


def files_of_page() -> dict[str, str]:
    """Return the files that the page on hosting shows."""
    return dict(BLOCK.findall(PAGE.read_text(encoding="utf-8")))


def free_port() -> int:
    """Return a port that nobody uses now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def make_certificate(folder: Path) -> ssl.SSLContext:
    """Write a certificate for `localhost`, and return what trusts it."""
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    words += ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    words += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(words, check=True, capture_output=True)
    return ssl.create_default_context(cafile=str(folder / "fullchain.pem"))


@contextmanager
def nginx(folder: Path, text: str, port: int, ports: Mapping[int, int]) -> Iterator[None]:
    """Run nginx with a file of the page, with other ports and certificates than it says."""
    path = shutil.which("nginx")
    if path is None:
        pytest.skip(MISSING)
    text = text.replace("/etc/letsencrypt/live/example.org", str(folder))
    text = text.replace("listen 443", f"listen 127.0.0.1:{port}")
    text = text.replace("server_name example.org", "server_name localhost")
    for said, meant in ports.items():
        text = text.replace(f"127.0.0.1:{said}", f"127.0.0.1:{meant}")
    user = "user root;" if os.geteuid() == 0 else ""
    conf = folder / "nginx.conf"
    conf.write_text(AROUND.format(user=user, folder=folder, inside=text))
    process = subprocess.Popen([path, "-c", str(conf), "-e", str(folder / "error.log")])
    try:
        for _ in range(500):
            with socket.socket() as one:
                one.settimeout(0.02)
                if one.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None, (folder / "error.log").read_text()
        yield
    finally:
        process.terminate()
        process.wait()
