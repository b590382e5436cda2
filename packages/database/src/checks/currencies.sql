-- Checks on currencies.
ALTER TABLE currencies
  ADD CONSTRAINT currencies_digits CHECK (digits BETWEEN 0 AND 4),
  ADD CONSTRAINT currencies_single_limit CHECK (single_administrator_limit >= 0);
