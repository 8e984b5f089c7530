//! The address of a desk on several servers: one takes changes, and the others follow it.

/// An address such as `postgres://USER@HOST:PORT,HOST:PORT/DATABASE`, once for each of its hosts, in their order.
pub fn address_of_each(address: &str) -> Vec<String> {
    let (scheme, rest) = address.split_at(address.find("://").map_or(0, |at| at + "://".len()));
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (user, hosts) = authority.split_at(authority.rfind('@').map_or(0, |at| at + "@".len()));
    hosts.split(',').map(|host| format!("{scheme}{user}{host}{path}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_host_has_the_address_to_itself() {
        let each = address_of_each("postgres://desk:a,b@one.example:5433,[::1]/news?schema=x,y");
        let wanted =
            ["postgres://desk:a,b@one.example:5433/news?schema=x,y", "postgres://desk:a,b@[::1]/news?schema=x,y"];
        assert_eq!(each, wanted);
        assert_eq!(address_of_each("postgres://one/news"), ["postgres://one/news"]);
    }
}
