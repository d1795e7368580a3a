//! Servers that are child processes through the bridge.
