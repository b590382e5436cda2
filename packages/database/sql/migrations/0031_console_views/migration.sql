-- Views of the console's lists that its users have saved.
CREATE TABLE "console_views" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "list" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "console_views_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "console_views_user_id_merchant_id_mode_list_name_key" ON "console_views"("user_id", "merchant_id", "mode", "list", "name");
ALTER TABLE "console_views" ADD CONSTRAINT "console_views_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "console_users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "console_views" ADD CONSTRAINT "console_views_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
