-- Checks on delivery_lanes: a responsive lane is not slow.
ALTER TABLE delivery_lanes
  ADD CONSTRAINT delivery_lanes_slow CHECK (slow_in_row BETWEEN 0 AND 3 AND (NOT answers OR slow_in_row < 3));
