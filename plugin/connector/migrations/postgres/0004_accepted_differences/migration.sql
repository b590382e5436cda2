-- Set where the owner said that this very difference is right as it is.
ALTER TABLE differences ADD COLUMN accepted_at bigint;
