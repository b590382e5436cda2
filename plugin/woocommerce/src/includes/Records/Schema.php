<?php

namespace Tillgate\WooCommerce\Records;

/** Times are Unix times of the database's clock, so that several web servers agree. */
final class Schema
{
    public const VERSION = '4';
    public const VERSION_OPTION = 'tillgate_schema';
    private const TABLES = ['claims', 'attempts', 'events', 'refunds', 'differences'];

    public static function table(\wpdb $wpdb, string $name): string
    {
        return $wpdb->prefix . 'tillgate_' . $name;
    }

    /** @return string[] names of all tables of the current site */
    public static function tables(\wpdb $wpdb): array
    {
        return array_map(static function (string $name) use ($wpdb): string {
            return self::table($wpdb, $name);
        }, self::TABLES);
    }

    public static function install(\wpdb $wpdb): void
    {
        if (get_option(self::VERSION_OPTION) === self::VERSION) {
            return;
        }
        require_once ABSPATH . 'wp-admin/includes/upgrade.php';
        dbDelta(self::statements($wpdb));
        update_option(self::VERSION_OPTION, self::VERSION, true);
    }

    /** @return string[] CREATE statements of all tables, in the format that dbDelta() requires */
    public static function statements(\wpdb $wpdb): array
    {
        $collate = $wpdb->get_charset_collate();
        $claims = self::table($wpdb, 'claims');
        $attempts = self::table($wpdb, 'attempts');
        $events = self::table($wpdb, 'events');
        $refunds = self::table($wpdb, 'refunds');
        $differences = self::table($wpdb, 'differences');
        return [
            // Locks. The process whose insert succeeds holds the lock until it is released or expires.
            "CREATE TABLE $claims (
  name varchar(100) NOT NULL,
  token char(32) NOT NULL,
  expires_at bigint NOT NULL,
  renewals bigint NOT NULL DEFAULT 0,
  PRIMARY KEY  (name)
) $collate;",
            // Payment attempts, stored with idempotency key and request before Tillgate is called. States: creating (outcome of the
            // request unknown), pending, paid, expired, cancelled, refunded, refused (rejected by Tillgate, or closed on a copy of the
            // shop). current_order_id is set on the order's current attempt only. compare_at: next comparison of refunds;
            // shop_refunded_minor and paid_back_minor: totals at the last comparison, in minor units; accepted_at: the merchant marked
            // the difference as correct.
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
            // Verified webhook events. done_at is set when the event's effect is committed.
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
            // Refunds. Those requested in the shop are stored with idempotency key and reference before the request. States: asked, unknown
            // (outcome of the request unknown), pending, completed, failed, refused (closed on a copy of the shop). recorded_at is set when the
            // WooCommerce refund exists, or the refund is known to exceed what's left of the order.
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
            // Payments that differed from Tillgate at the last comparison. found: the differences as JSON; open_count: the number of those
            // not marked as correct.
            "CREATE TABLE $differences (
  attempt_id bigint NOT NULL,
  order_id bigint NOT NULL,
  found longtext NOT NULL,
  open_count int NOT NULL DEFAULT 1,
  compared_at bigint NOT NULL,
  PRIMARY KEY  (attempt_id),
  KEY order_id (order_id)
) $collate;",
        ];
    }
}
