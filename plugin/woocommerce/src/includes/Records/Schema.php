<?php

namespace Tillgate\WooCommerce\Records;

/**
 * The plugin's own tables. What must be decided between processes (who works on an order, whether an event acted) is
 * decided by their unique keys. Times are seconds since 1970 by the database's clock, so that several web servers agree.
 */
final class Schema
{
    public const VERSION = '3';
    public const VERSION_OPTION = 'tillgate_schema';

    public static function table(\wpdb $wpdb, string $name): string
    {
        return $wpdb->prefix . 'tillgate_' . $name;
    }

    /** Brings the tables up to date where they are not. */
    public static function install(\wpdb $wpdb): void
    {
        $before = get_option(self::VERSION_OPTION);
        if ($before === self::VERSION) {
            return;
        }
        require_once ABSPATH . 'wp-admin/includes/upgrade.php';
        dbDelta(self::statements($wpdb));
        if ($before === '1') {
            self::scheduleRefundComparisons($wpdb);
        }
        update_option(self::VERSION_OPTION, self::VERSION, true);
    }

    /** The first version recorded refunds that crossed twice: every payment that had one is compared with Tillgate once. */
    public static function scheduleRefundComparisons(\wpdb $wpdb): void
    {
        $attempts = self::table($wpdb, 'attempts');
        $refunds = self::table($wpdb, 'refunds');
        // phpcs:disable WordPress.DB -- The plugin's own tables; their names hold no input.
        $wpdb->query(
            "UPDATE $attempts SET compare_at = UNIX_TIMESTAMP() WHERE trx_id IS NOT NULL AND compare_at IS NULL"
            . " AND order_id IN (SELECT order_id FROM $refunds)"
        );
        // phpcs:enable WordPress.DB
    }

    /** @return string[] in the form that dbDelta reads */
    public static function statements(\wpdb $wpdb): array
    {
        $collate = $wpdb->get_charset_collate();
        $claims = self::table($wpdb, 'claims');
        $attempts = self::table($wpdb, 'attempts');
        $events = self::table($wpdb, 'events');
        $refunds = self::table($wpdb, 'refunds');
        $differences = self::table($wpdb, 'differences');
        return [
            // Who is working on something now. The insert wins; one that was not kept is free again when it expires.
            "CREATE TABLE $claims (
  name varchar(100) NOT NULL,
  token char(32) NOT NULL,
  expires_at bigint NOT NULL,
  renewals bigint NOT NULL DEFAULT 0,
  PRIMARY KEY  (name)
) $collate;",
            // One row for each try to have an order paid, stored with its key and request before Tillgate is called.
            // creating: the outcome of the call is not known. pending: Tillgate has it, the shop knows no end of it.
            // paid, expired, cancelled, refunded: that end is in the shop. refused: Tillgate made no order of it.
            // current_order_id is the order's number on its one current attempt and null on those before.
            // compare_at: when the refunds of the payment are compared next. shop_refunded_minor and paid_back_minor: what
            // they came to at the last comparison, in minor units. accepted_at: the owner says that the difference is right.
            "CREATE TABLE $attempts (
  id bigint NOT NULL AUTO_INCREMENT,
  order_id bigint NOT NULL,
  current_order_id bigint DEFAULT NULL,
  idempotency_key varchar(64) NOT NULL,
  mode varchar(10) NOT NULL,
  client_id varchar(191) NOT NULL,
  request longtext NOT NULL,
  amount_minor bigint NOT NULL,
  currency char(3) NOT NULL,
  state varchar(12) NOT NULL DEFAULT 'creating',
  tillgate_order_id varchar(40) DEFAULT NULL,
  payment_url text DEFAULT NULL,
  qr_data text DEFAULT NULL,
  expires_at bigint DEFAULT NULL,
  trx_id varchar(64) DEFAULT NULL,
  cancel_reason varchar(255) DEFAULT NULL,
  next_check_at bigint NOT NULL,
  checked_at bigint NOT NULL DEFAULT 0,
  failed_checks int NOT NULL DEFAULT 0,
  given_up_at bigint DEFAULT NULL,
  compare_at bigint DEFAULT NULL,
  shop_refunded_minor bigint DEFAULT NULL,
  paid_back_minor bigint DEFAULT NULL,
  accepted_at bigint DEFAULT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY  (id),
  UNIQUE KEY current_order_id (current_order_id),
  UNIQUE KEY idempotency_key (idempotency_key),
  UNIQUE KEY tillgate_order_id (tillgate_order_id),
  KEY order_id (order_id),
  KEY due (state,next_check_at),
  KEY compare_at (compare_at)
) $collate;",
            // Every event that was verified. done_at is set when its effect is durable in the shop.
            "CREATE TABLE $events (
  event_id varchar(80) NOT NULL,
  event varchar(40) NOT NULL,
  tillgate_order_id varchar(40) NOT NULL,
  tries int NOT NULL DEFAULT 1,
  received_at bigint NOT NULL,
  done_at bigint DEFAULT NULL,
  outcome varchar(40) DEFAULT NULL,
  PRIMARY KEY  (event_id),
  KEY by_age (received_at)
) $collate;",
            // One row for each refund. Asked for in the shop: stored with its key and reference before the call.
            // asked, unknown: the outcome of the call is not known. pending, completed, failed: as Tillgate says.
            // recorded_at is set when the shop's own refund record is there, or known not to have room.
            "CREATE TABLE $refunds (
  id bigint NOT NULL AUTO_INCREMENT,
  order_id bigint NOT NULL,
  idempotency_key varchar(64) DEFAULT NULL,
  reference varchar(191) DEFAULT NULL,
  refund_id varchar(40) DEFAULT NULL,
  trx_id varchar(64) NOT NULL,
  amount_minor bigint NOT NULL,
  currency char(3) NOT NULL,
  reason text DEFAULT NULL,
  state varchar(12) NOT NULL,
  shop_refund_id bigint DEFAULT NULL,
  next_check_at bigint NOT NULL,
  failed_checks int NOT NULL DEFAULT 0,
  asked_at bigint NOT NULL,
  recorded_at bigint DEFAULT NULL,
  PRIMARY KEY  (id),
  UNIQUE KEY idempotency_key (idempotency_key),
  UNIQUE KEY reference (reference),
  UNIQUE KEY refund_id (refund_id),
  KEY order_id (order_id),
  KEY due (state,next_check_at)
) $collate;",
            // One row for each payment that the last comparison found to differ from Tillgate. found: what, as JSON.
            "CREATE TABLE $differences (
  attempt_id bigint NOT NULL,
  order_id bigint NOT NULL,
  found longtext NOT NULL,
  compared_at bigint NOT NULL,
  PRIMARY KEY  (attempt_id),
  KEY order_id (order_id)
) $collate;",
        ];
    }
}
