-- The role and the database of tandem, made once by an administrator of the server; the role is no superuser. Its password
-- comes from the environment: psql -f deploy/postgres.sql with TANDEM_PASSWORD.
\set ON_ERROR_STOP on
\set password `printf %s "$TANDEM_PASSWORD"`
SELECT :'password' = '' AS is_missing \gset
\if :is_missing
  DO $$ BEGIN RAISE EXCEPTION 'TANDEM_PASSWORD has to be set'; END $$;
\endif
CREATE USER ada PASSWORD :'password';
CREATE DATABASE tandem OWNER ada ENCODING 'UTF8' TEMPLATE template0;
