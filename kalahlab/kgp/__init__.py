"""The Kalah Game Protocol (KGP) of FAU Erlangen, over TCP: both a client and a server."""
