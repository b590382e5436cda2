-- Checks on merchant_branding.
ALTER TABLE merchant_branding
  ADD CONSTRAINT merchant_branding_accent CHECK (accent ~ '^#[0-9a-f]{6}$'),
  ADD CONSTRAINT merchant_branding_logo_whole CHECK (
    num_nonnulls(logo_id, logo_type, logo_width, logo_height, logo) IN (0, 5)),
  ADD CONSTRAINT merchant_branding_logo CHECK (
    logo IS NULL OR (logo_id = encode(sha256(logo), 'hex') AND octet_length(logo) BETWEEN 1 AND 131072
                     AND logo_type IN ('image/png', 'image/jpeg', 'image/webp')));
