"""The kernel: what rules mean. The nodes' meaning, tables, states, and the scheduler."""
