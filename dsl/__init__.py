"""The rules language: text in, a linked ruleset and findings out."""

from dsl.load import LoadResult, link, load, load_sources

__all__ = ["LoadResult", "link", "load", "load_sources"]
