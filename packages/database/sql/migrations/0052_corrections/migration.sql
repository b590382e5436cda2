-- A transfer is corrected once.
CREATE UNIQUE INDEX "transfers_corrects_mode_key" ON "transfers"("corrects", "mode");
