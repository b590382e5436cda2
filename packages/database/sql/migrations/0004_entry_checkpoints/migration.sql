-- CreateTable
CREATE TABLE "entry_checkpoints" (
    "account_id" UUID NOT NULL,
    "entry_id" BIGINT NOT NULL,
    "entries" BIGINT NOT NULL,
    "credits" BIGINT NOT NULL,
    "debits" BIGINT NOT NULL,
    "fees" BIGINT NOT NULL,

    CONSTRAINT "entry_checkpoints_pkey" PRIMARY KEY ("account_id","entry_id")
);

-- AddForeignKey
ALTER TABLE "entry_checkpoints" ADD CONSTRAINT "entry_checkpoints_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
