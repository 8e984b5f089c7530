-- What the statements use and PostgreSQL lacks.

CREATE FUNCTION iif(condition BOOLEAN, yes anycompatible, no anycompatible) RETURNS anycompatible
    LANGUAGE sql IMMUTABLE AS 'SELECT CASE WHEN condition THEN yes ELSE no END';
CREATE FUNCTION max(one BIGINT, other BIGINT) RETURNS BIGINT
    LANGUAGE sql IMMUTABLE AS 'SELECT CASE WHEN one > other THEN one WHEN other IS NOT NULL AND one IS NOT NULL THEN other END';
CREATE FUNCTION hex(bytes BYTEA) RETURNS TEXT
    LANGUAGE sql IMMUTABLE AS 'SELECT upper(encode(bytes, ''hex''))';
CREATE FUNCTION instr(text TEXT, part TEXT) RETURNS INTEGER
    LANGUAGE sql IMMUTABLE AS 'SELECT strpos(text, part)';
CREATE FUNCTION json_extract(document TEXT, path TEXT) RETURNS TEXT
    LANGUAGE sql IMMUTABLE AS 'SELECT document::jsonb #>> string_to_array(substr(path, 3), ''.'')';

-- The words of passages, for searches.

CREATE TABLE passage_words (
    passage BIGINT PRIMARY KEY,
    shelf   TEXT NOT NULL,
    length  INTEGER NOT NULL,  -- of the passage, in words that are searched
    words   TSVECTOR NOT NULL  -- those of its title have weight A
);
CREATE INDEX passage_words_found ON passage_words USING gin (words);

-- Porter's stems of all words, the most common ones included.
CREATE TEXT SEARCH DICTIONARY stems (TEMPLATE = snowball, LANGUAGE = porter);
CREATE TEXT SEARCH CONFIGURATION words (COPY = simple);
ALTER TEXT SEARCH CONFIGURATION words ALTER MAPPING FOR asciiword, word, numword WITH stems;

-- BM25 with k1 = 1.2 and b = 0.75; a word of a title counts twice. How rare a word is says the area that is searched: a story's own
-- passages, or the whole shelf. So a search in one story takes the same time however many others there are.
CREATE FUNCTION ranked_passages(on_shelf TEXT, wanted TEXT, first BIGINT, last BIGINT, most BIGINT)
    RETURNS TABLE (passage BIGINT, score DOUBLE PRECISION) LANGUAGE sql STABLE AS $$
    WITH query AS (
        SELECT array_agg(lexeme) AS lexemes, string_agg(quote_literal(lexeme), ' | ')::tsquery AS any_word
        FROM unnest(to_tsvector('words', wanted))
    ), area AS (
        SELECT count(*)::double precision AS passages, avg(length)::double precision AS length
        FROM passage_words WHERE shelf = on_shelf AND passage_words.passage BETWEEN first AND last
    ), hit AS (
        SELECT found.passage, found.length, count(*) OVER (PARTITION BY term.lexeme) AS found_in, counted.times
        FROM query, passage_words AS found, unnest(found.words) AS term, LATERAL (
            SELECT sum(CASE weight WHEN 'A' THEN 2 ELSE 1 END)::double precision AS times FROM unnest(term.weights) AS weight
        ) AS counted
        WHERE found.shelf = on_shelf AND found.passage BETWEEN first AND last AND found.words @@ any_word
            AND term.lexeme = ANY (lexemes)
    )
    SELECT hit.passage, sum(greatest(ln((passages - found_in + 0.5) / (found_in + 0.5)), 1e-6)
        * (times * 2.2) / (times + 1.2 * (0.25 + 0.75 * hit.length / area.length)))
    FROM hit, area GROUP BY hit.passage ORDER BY 2 DESC, 1 LIMIT most
$$;

-- Vectors by their signs, a bit a component.
CREATE FUNCTION vec_bit(signs BYTEA) RETURNS BIT VARYING
    LANGUAGE sql IMMUTABLE AS $$ SELECT ('x' || encode(signs, 'hex'))::varbit $$;
