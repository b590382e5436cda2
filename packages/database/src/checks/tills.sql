-- Checks on tills.
ALTER TABLE tills
  ADD CONSTRAINT tills_named CHECK (name <> '' AND length(name) <= 80),
  ADD CONSTRAINT tills_terminal_named CHECK (terminal_id <> '' AND length(terminal_id) <= 64);
