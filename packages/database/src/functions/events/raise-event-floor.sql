-- Raises the event floor to the next transaction ID, unless it is already above p_turn. The caller must commit before it calls
-- event_horizon().
CREATE OR REPLACE FUNCTION raise_event_floor(p_turn bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE event_floor SET turn = greatest(turn, pg_snapshot_xmax(pg_current_snapshot())::text::bigint) WHERE turn <= p_turn
$$;
