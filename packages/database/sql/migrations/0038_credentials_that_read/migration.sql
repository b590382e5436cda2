-- A credential may be for reading only: every call that would change something is refused.
ALTER TABLE "credentials" ADD COLUMN "read_only" BOOLEAN NOT NULL DEFAULT false;
