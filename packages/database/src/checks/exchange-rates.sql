-- Checks on exchange_rates.
ALTER TABLE exchange_rates
  ADD CONSTRAINT exchange_rates_positive CHECK (rate > 0 AND spread_percent >= 0 AND spread_percent < 100),
  ADD CONSTRAINT exchange_rates_two_currencies CHECK (base <> quote);
