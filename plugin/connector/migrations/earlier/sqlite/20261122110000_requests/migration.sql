-- How often was asked within a minute, by address and order.
CREATE TABLE requests (
  name TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX requests_by_end ON requests (ends_at);
