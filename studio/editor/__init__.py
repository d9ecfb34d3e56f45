"""What an editor asks while somebody writes rules: findings, completion, meanings of names."""
