"""The documentation as a site: the pages of `docs`, every command and every finding."""
