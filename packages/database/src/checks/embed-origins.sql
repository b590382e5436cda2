-- What a row of embed_origins may be. It stands in a content security policy: a sign that means more there gets no place.
ALTER TABLE embed_origins
  ADD CONSTRAINT embed_origins_plain CHECK (origin ~ '^https?://[a-z0-9][a-z0-9.-]*(:[0-9]{1,5})?$' AND length(origin) <= 200),
  ADD CONSTRAINT embed_origins_live CHECK (mode <> 'live' OR origin LIKE 'https://%');
