"""How browsers reach the server: by which names, below which address, and through which proxies."""

import ipaddress
import re
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

import attrs
from starlette.types import Scope

from ziggurat.studio.console import UsageError
from ziggurat.studio.web.refusals import Refusal

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
EXAMPLE = "https://example.org/games/"
PREFIX = re.compile(r"(/[A-Za-z0-9._~-]+)*")
HOST = re.compile(r"[A-Za-z0-9.-]+(:[0-9]{1,5})?|\[[0-9a-fA-F:.]+\](:[0-9]{1,5})?")


@attrs.frozen
class PublicUrl:
    """The address under which everybody knows the server."""

    scheme: str
    host: str  # with its port, if it is not the usual one
    prefix: str  # "" or "/games"

    @classmethod
    def parse(cls, text: str) -> "PublicUrl":
        """Read what `--url` says. Raise `UsageError`."""
        try:
            parts = urlsplit(text)
            _ = parts.port  # raises if it is no number
        except ValueError as error:
            raise _wrong_url(text, "cannot be read") from error
        if parts.scheme not in ("http", "https"):
            raise _wrong_url(text, "does not begin with `https://` or `http://`")
        if not HOST.fullmatch(parts.netloc):
            raise _wrong_url(text, "does not name a host")
        if "?" in text or "#" in text:
            raise _wrong_url(text, "has a `?` or `#`")
        if not parts.path.endswith("/"):
            raise _wrong_url(text, "does not end with a slash")
        if not PREFIX.fullmatch(parts.path.removesuffix("/")):
            raise _wrong_url(text, "has a path of other characters than letters, digits, `-._~`")
        return cls(parts.scheme, parts.netloc.lower(), parts.path.removesuffix("/"))

    @property
    def name(self) -> str:
        """Return the host without its port."""
        return name_of(self.host)

    @property
    def origin(self) -> str:
        """Return what a browser says of pages of this address."""
        return f"{self.scheme}://{self.host}"

    def __str__(self) -> str:
        return f"{self.origin}{self.prefix}/"


def _wrong_url(text: str, what: str) -> UsageError:
    return UsageError(f"`--url {text}` {what}; an address is like `{EXAMPLE}`.")


@attrs.frozen
class Proxies:
    """The proxies whose word is taken for where a request comes from."""

    networks: tuple[Network, ...] = ()

    @classmethod
    def parse(cls, texts: Sequence[str]) -> "Proxies":
        """Read the addresses and networks of proxies. Raise `UsageError`."""
        found = []
        for text in texts:
            try:
                found.append(ipaddress.ip_network(text))
            except ValueError as error:
                raise UsageError(
                    f"`--proxy {text}` is no address of a proxy; one is like `127.0.0.1`, a"
                    " network like `10.0.0.0/8`."
                ) from error
        return cls(tuple(found))

    def __bool__(self) -> bool:
        return bool(self.networks)

    def trusts(self, address: str) -> bool:
        """Return whether an address is one of these proxies."""
        found = _address(address)
        return found is not None and any(found in network for network in self.networks)

    def resolve(self, scope: Scope) -> Scope:
        """Return a request as it was before it came to a proxy. Raise `Refusal`.

        Of a request that no proxy has passed on, its headers are not looked at.
        """
        client = scope.get("client")
        if not client or not self.trusts(client[0]):
            return scope
        found = {**scope, "forwarded": True}
        addresses = _values(scope, b"x-forwarded-for")
        for text in reversed(addresses):
            address = _address(text)
            if address is None:
                raise _wrong_header("X-Forwarded-For", "names something that is no address")
            found["client"] = (str(address), 0)
            if not self.trusts(str(address)):
                break
        for scheme in _values(scope, b"x-forwarded-proto")[-1:]:
            if scheme not in ("http", "https"):
                raise _wrong_header("X-Forwarded-Proto", "is neither http nor https")
            found["scheme"] = scheme
        for host in _values(scope, b"x-forwarded-host")[-1:]:
            if not HOST.fullmatch(host):
                raise _wrong_header("X-Forwarded-Host", "is no name of a host")
            others = [one for one in scope["headers"] if one[0] != b"host"]
            found["headers"] = [(b"host", host.encode()), *others]
        for prefix in _values(scope, b"x-forwarded-prefix")[-1:]:
            if not PREFIX.fullmatch(prefix.removesuffix("/")):
                raise _wrong_header("X-Forwarded-Prefix", "is no path like /games")
            found["prefix"] = prefix.removesuffix("/")
        return found


@attrs.frozen
class Reach:
    """All there is to know about how browsers reach a server."""

    names: tuple[str, ...] = ()
    url: PublicUrl | None = None
    proxies: Proxies = attrs.field(factory=Proxies)

    @property
    def is_public(self) -> bool:
        """Return whether others than this machine may come, wherever the server listens."""
        return bool(self.names or self.url or self.proxies)

    @property
    def all_names(self) -> Iterable[str]:
        """Return the names by which browsers know the server."""
        return (*self.names, *((self.url.name,) if self.url is not None else ()))

    def is_own_origin(self, origin: str, host: str) -> bool:
        """Return whether a page is one of the server, which was asked under the name `host`."""
        if self.url is not None and origin == self.url.origin:
            return True
        return origin.partition("://")[2] == host

    def without_prefix(self, scope: Scope) -> Scope:
        """Return a request with the address that it would have without a proxy.

        Proxies may leave the prefix in the address or take it away; `prefix` tells pages of it.
        """
        prefix = scope.get("prefix", self.url.prefix if self.url is not None else "")
        found = {**scope, "prefix": prefix}
        path = scope["path"]
        if prefix and path.startswith(f"{prefix}/"):
            raw = scope.get("raw_path") or path.encode()
            found |= {"path": path[len(prefix) :], "raw_path": raw[len(prefix) :]}
        return found


def name_of(host: str) -> str:
    """Return a host without its port and brackets."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    return name.strip("[]").lower()


def _values(scope: Scope, name: bytes) -> list[str]:
    text = ",".join(value.decode("latin-1") for key, value in scope["headers"] if key == name)
    return [one.strip() for one in text.split(",") if one.strip()]


def _address(text: str) -> Address | None:
    """Read an address, which may have a port and brackets."""
    for candidate in (text.strip("[]"), name_of(text)):
        try:
            found = ipaddress.ip_address(candidate)
        except ValueError:
            continue
        mapped = getattr(found, "ipv4_mapped", None)
        return mapped or found
    return None


def _wrong_header(name: str, what: str) -> Refusal:
    return Refusal(400, f"The header {name} of the proxy {what}.")
