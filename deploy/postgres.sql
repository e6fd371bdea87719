-- The users and the database of tandem, made once by an administrator of the server; none of them is a superuser. The
-- passwords come from the environment: psql -f deploy/postgres.sql with OWNER_PASSWORD, WORKER_PASSWORD and SUBMITTER_PASSWORD.
\set ON_ERROR_STOP on
\set owner `printf %s "$OWNER_PASSWORD"`
\set worker `printf %s "$WORKER_PASSWORD"`
\set submitter `printf %s "$SUBMITTER_PASSWORD"`
SELECT '' IN (:'owner', :'worker', :'submitter') AS is_missing \gset
\if :is_missing
  DO $$ BEGIN RAISE EXCEPTION 'OWNER_PASSWORD, WORKER_PASSWORD and SUBMITTER_PASSWORD have to be set'; END $$;
\endif
CREATE ROLE tandem_worker NOLOGIN;
CREATE ROLE tandem_submitter NOLOGIN;
CREATE USER ada PASSWORD :'owner';
CREATE USER mill PASSWORD :'worker' IN ROLE tandem_worker;
CREATE USER desk PASSWORD :'submitter' IN ROLE tandem_submitter;
CREATE DATABASE tandem OWNER ada ENCODING 'UTF8' TEMPLATE template0;
REVOKE CONNECT ON DATABASE tandem FROM PUBLIC;
GRANT CONNECT ON DATABASE tandem TO mill, desk;
