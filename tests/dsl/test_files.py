"""Files are replaced in one move or not at all."""

from pathlib import Path

import pytest

from ziggurat.dsl.files import replace_file


def test_a_new_file_is_written(tmp_path: Path) -> None:
    replace_file(tmp_path / "new", b"text", durable=True)
    assert (tmp_path / "new").read_bytes() == b"text"
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


@pytest.mark.posix
def test_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    file = tmp_path / "old"
    file.write_bytes(b"old")
    file.chmod(0o640)
    replace_file(file, b"new")
    assert file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o640


@pytest.mark.posix
def test_a_link_goes_on_being_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to("file")
    replace_file(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


def test_what_cannot_be_replaced_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "folder" / "full").mkdir(parents=True)
    with pytest.raises(OSError, match=r"."):
        replace_file(tmp_path / "folder", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_write_that_fails_keeps_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        replace_file(file, b"new", durable=True)
    assert file.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
