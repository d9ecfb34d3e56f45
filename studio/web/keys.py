"""Keys: who somebody is at a table. They cannot be guessed, and only their hashes are kept.

A key has 192 random bits, so a plain hash of it gives nothing away, and trying them out is
hopeless; comparing takes equally long whatever is compared.
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping

HOST, VIEW = "host", "view"
SEAT = "seat:"
LONGEST = 200  # characters of something that is looked at as a key


def fresh_key() -> str:
    """A key that nobody can guess."""
    return secrets.token_urlsafe(24)


def hashed(key: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


class Keys:
    """The keys of one table: for each role (`host`, `view`, `seat:rome`) the hash of its key."""

    def __init__(self, hashes: Mapping[str, str] | None = None) -> None:
        self.hashes = dict(hashes or {})

    def give(self, role: str) -> str:
        """A new key for a role; the one it had is void."""
        key = fresh_key()
        self.hashes[role] = hashed(key)
        return key

    def has(self, role: str) -> bool:
        """Whether somebody may hold a key for a role."""
        return role in self.hashes

    def role(self, key: str) -> str | None:
        """Whose key this is. Every hash is compared, found or not."""
        given = hashed(key[:LONGEST])
        found = None
        for role, known in self.hashes.items():
            if hmac.compare_digest(known, given):
                found = role
        return found


def seat_of(role: str) -> str | None:
    """The seat that a role plays; none for the host and for onlookers."""
    return role.removeprefix(SEAT) if role.startswith(SEAT) else None
