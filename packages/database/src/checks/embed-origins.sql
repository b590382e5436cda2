-- Checks on embed_origins. Origins go into a content security policy, so special characters are rejected.
ALTER TABLE embed_origins
  ADD CONSTRAINT embed_origins_plain CHECK (origin ~ '^https?://[a-z0-9][a-z0-9.-]*(:[0-9]{1,5})?$' AND length(origin) <= 200),
  ADD CONSTRAINT embed_origins_live CHECK (mode <> 'live' OR origin LIKE 'https://%');
