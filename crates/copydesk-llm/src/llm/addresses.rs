//! Tells addresses on the public internet from those of private machines and networks.

use std::net::{IpAddr, Ipv4Addr};

/// Whether an address is globally reachable by IANA's special-purpose registries (RFC 6890), is not a multicast address, and does not
/// reach a private one through a translator.
pub(super) fn is_public(address: IpAddr) -> bool {
    let address = match address {
        IpAddr::V4(address) => return is_public_v4(address),
        IpAddr::V6(address) => address,
    };
    // The last 32 bits, which can hold an IPv4 address.
    let inside = Ipv4Addr::from_bits(u32::try_from(address.to_bits() & u128::from(u32::MAX)).unwrap_or_default());
    match address.segments() {
        // As it is, or behind a translator (RFC 6052).
        [0, 0, 0, 0, 0, 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => is_public_v4(inside),
        // Protocol assignments, documentation, 6to4.
        [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x2002, ..] | [0x3fff, 0..=0xfff, ..] => false,
        // Global unicast. Everything else is loopback, local, multicast or unassigned.
        [first, ..] => (0x2000..=0x3fff).contains(&first),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = matches!(
        (a, b, c),
        (0 | 10 | 127 | 240..=255, ..)
            | (100, 64..=127, _)
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (192, 168, _)
            | (198, 18 | 19, _)
            | (198, 51, 100)
            | (203, 0, 113)
    );
    !special && !address.is_multicast()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_open_net_is_public() {
        for public in ["93.184.215.14", "1.1.1.1", "172.32.0.1", "100.128.0.1", "192.0.1.1", "223.255.255.1"]
            .into_iter()
            .chain(["2606:2800:21f:cb07::1", "2001:4860:4860::8888", "::ffff:1.1.1.1", "64:ff9b::101:101"])
        {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for inside in ["0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.9.9.9", "169.254.169.254", "172.16.0.1"]
            .into_iter()
            .chain(["172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1"])
            .chain(["198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"])
            .chain(["::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::a00:1"])
            .chain(["64:ff9b:1::1", "fc00::1", "fd12::1", "fe80::1", "fec0::1", "ff02::1", "2001::1", "2001:db8::1"])
            .chain(["2002:7f00:1::", "3fff::1", "100::1", "4000::1"])
        {
            assert!(!is_public(inside.parse().unwrap()), "{inside}");
        }
    }
}
