-- Deliveries of a paused receiver wait as `held`, outside the relay's work list, however many they are. A value of its
-- own transaction: PostgreSQL does not let a new value be used where it was added.
ALTER TYPE "delivery_status" ADD VALUE 'held' AFTER 'queued';
