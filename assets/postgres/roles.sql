-- The roles of a desk on a PostgreSQL server: readers, editors, publishers, and who sees confidential stories. The server's administrator runs
-- this in the desk's database after the first command has made the tables:
--
--     psql -f roles.sql postgres://…/newsroom
--     psql -v schema=sport -v role=sport -f roles.sql postgres://…/newsroom     for the desk in the schema `sport`, with roles of its own
--
-- It can be run again at any time, and must be after the desk has changed its embedder, which makes new tables.

\set ON_ERROR_STOP on
\if :{?schema}
\else
\set schema public
\endif
\if :{?role}
\else
\set role desk
\endif
\set reader :role _reader
\set editor :role _editor
\set publisher :role _publisher

BEGIN;
SET LOCAL client_min_messages = warning;
SET LOCAL search_path = :"schema", public;
SELECT format('CREATE ROLE %I', name) FROM unnest(ARRAY[:'reader', :'editor', :'publisher']) AS name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
GRANT :"reader" TO :"editor";
GRANT :"editor" TO :"publisher";

-- Editors add to the log and to the texts, and change nothing there. So to delete a story is the owner's right.
GRANT USAGE ON SCHEMA :"schema" TO :"reader";
GRANT SELECT ON ALL TABLES IN SCHEMA :"schema" TO :"reader";
GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA :"schema" TO :"editor";
GRANT USAGE ON ALL SEQUENCES IN SCHEMA :"schema" TO :"editor";
REVOKE UPDATE, DELETE ON event, blob FROM :"editor";
REVOKE INSERT, UPDATE, DELETE ON log_link, run_key, text_key, asked_server FROM :"editor";

-- Publishers sign off, and send stories out.
REVOKE INSERT ON outbox FROM :"editor";
GRANT INSERT ON outbox TO :"publisher";
CREATE OR REPLACE FUNCTION only_publishers_sign() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT pg_has_role(session_user, TG_ARGV[0], 'MEMBER') THEN
        RAISE insufficient_privilege USING MESSAGE = 'only a publisher may sign off';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER only_publishers_sign BEFORE INSERT ON event FOR EACH ROW
    WHEN (json_extract(NEW.payload, '$.choice') = 'sign_off') EXECUTE FUNCTION only_publishers_sign(:'publisher');

-- A confidential story is shown to the users and groups that it names. The tables' owner sees all.
CREATE OR REPLACE FUNCTION is_shown(secrecy TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE
    RETURN CASE
        WHEN secrecy IS NULL THEN TRUE
        WHEN secrecy IS NOT JSON OBJECT THEN FALSE
        WHEN secrecy::jsonb -> 'confidential' IS DISTINCT FROM 'true' THEN TRUE
        ELSE EXISTS (
            SELECT FROM pg_catalog.pg_roles WHERE secrecy::jsonb -> 'readers' ? rolname AND pg_has_role(session_user, oid, 'MEMBER'))
    END;

-- What belongs to a story is shown with it. A text belongs to all stories that refer to it; these indexes find them.
CREATE INDEX IF NOT EXISTS run_of_text ON run (opening);
CREATE INDEX IF NOT EXISTS journal_of_text ON journal (outcome);
CREATE INDEX IF NOT EXISTS llm_call_of_prompt ON llm_call (prompt);
CREATE INDEX IF NOT EXISTS llm_call_of_answer ON llm_call (answer);
CREATE INDEX IF NOT EXISTS memory_of_text ON memory (record);
DO $$
DECLARE
    own RECORD;
BEGIN
    FOR own IN SELECT * FROM (VALUES
        ('story', 'is_shown(secrecy)'),
        ('run', 'EXISTS (SELECT FROM story WHERE story.id = run.story)'),
        ('scratch', 'EXISTS (SELECT FROM run WHERE run.id = scratch.run)'),
        ('journal', 'EXISTS (SELECT FROM run WHERE run.id = journal.run)'),
        ('llm_call', 'EXISTS (SELECT FROM run WHERE run.id = llm_call.run)'),
        ('tool_call', 'EXISTS (SELECT FROM run WHERE run.id = tool_call.run)'),
        ('passage_use', 'EXISTS (SELECT FROM run WHERE run.id = passage_use.run)'),
        ('message', 'EXISTS (SELECT FROM run WHERE run.id = message.run)'),
        ('outbox', 'EXISTS (SELECT FROM run WHERE run.id = outbox.run)'),
        ('memory', 'run IS NULL OR EXISTS (SELECT FROM run AS its WHERE its.id = memory.run)'),
        -- The log of the house, and of stories that were deleted, belongs to no run that is there.
        ('event', 'EXISTS (SELECT FROM run WHERE run.id = event.run) OR NOT EXISTS (SELECT FROM run_key WHERE run_key.id = event.run)'),
        ('reply', 'EXISTS (SELECT FROM story WHERE story.id = reply.story)'),
        ('document', 'story IS NULL OR EXISTS (SELECT FROM story AS its WHERE its.id = document.story)'),
        ('story_vec', 'EXISTS (SELECT FROM story AS its WHERE its.id = story_vec.story)'),
        ('passage', 'EXISTS (SELECT FROM document WHERE document.id = passage.document)'),
        ('passage_words', 'EXISTS (SELECT FROM passage AS its WHERE its.id = passage_words.passage)'),
        ('embedding', 'EXISTS (SELECT FROM passage AS its WHERE its.id = embedding.passage)')
    ) AS rules (name, rule) WHERE to_regclass(name) IS NOT NULL LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', own.name);
        EXECUTE format('DROP POLICY IF EXISTS shown ON %I', own.name);
        EXECUTE format('CREATE POLICY shown ON %I USING (%s)', own.name, own.rule);
    END LOOP;
END $$;
ALTER TABLE blob ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS shown ON blob;
CREATE POLICY shown ON blob FOR SELECT USING (
    EXISTS (SELECT FROM run WHERE opening = blob.id)
    OR EXISTS (SELECT FROM journal WHERE outcome = blob.id)
    OR EXISTS (SELECT FROM llm_call WHERE prompt = blob.id)
    OR EXISTS (SELECT FROM llm_call WHERE answer = blob.id)
    OR EXISTS (SELECT FROM prompt_part JOIN llm_call ON llm_call.prompt = prompt_part.prompt WHERE part = blob.id)
    OR EXISTS (SELECT FROM memory WHERE record = blob.id));
DROP POLICY IF EXISTS added ON blob;
CREATE POLICY added ON blob FOR INSERT WITH CHECK (TRUE);
COMMIT;
