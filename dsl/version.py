"""The version of the engine, which packs may ask for in `engine`."""

__version__ = "0.3.0"
