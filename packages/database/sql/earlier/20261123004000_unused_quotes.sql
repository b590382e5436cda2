-- Quotes that nobody used are pruned by their expiry; used ones are kept for ever and would only make that search longer.
DROP INDEX "quotes_expires_at_idx";
DROP INDEX "shopper_quotes_expires_at_idx";
CREATE INDEX quotes_unused ON quotes (expires_at) WHERE used_at IS NULL;
CREATE INDEX shopper_quotes_unused ON shopper_quotes (expires_at) WHERE used_at IS NULL;
