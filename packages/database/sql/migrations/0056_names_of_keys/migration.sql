-- What its owners call a key. Keys of before have none.
ALTER TABLE "credentials" ADD COLUMN "name" TEXT;
