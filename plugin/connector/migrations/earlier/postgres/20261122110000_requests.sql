-- How often was asked within a minute, by address and order. Worth nothing after a crash, so it costs no log.
CREATE UNLOGGED TABLE requests (
  name text PRIMARY KEY,
  count integer NOT NULL,
  ends_at timestamptz NOT NULL
);
CREATE INDEX requests_by_end ON requests (ends_at);
