-- An endpoint is verified when its address first answers 2xx to a test event, which changes nothing else of its health.
ALTER TABLE "receivers" ADD COLUMN "verified_at" TIMESTAMPTZ;
