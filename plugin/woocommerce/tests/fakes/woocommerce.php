<?php

use Tillgate\WooCommerce\Tests\World;

/** Order with the quirks of WooCommerce 10.0.2. */
class WC_Order
{
    public $id;
    public $status = 'pending';
    public $total;
    public $currency;
    public $method = 'tillgate';
    public $methodTitle = 'Wallet (QR code)';
    public $email = 'ada@example.com';
    /** Unix time; long ago unless set by a test. */
    public $modifiedAt = 0;
    public $transaction = '';
    public $notes = [];
    public $refunds = [];
    public $stockReturns = 0;
    public $isVirtual = false;
    /** @var FakeItem[]|null by ID */
    public $items;
    /** @var string|null number assigned by a plugin */
    public $number;
    /** @var string|null URL in the admin, changed by a plugin */
    public $editUrl;
    private $loaded = [];

    public function __construct(int $id, string $total = '41.50', string $currency = 'EUR')
    {
        $this->id = $id;
        $this->total = $total;
        $this->currency = $currency;
    }

    public static function generate_meta_cache_key($id, $group)
    {
        return "$group$id";
    }

    public function get_id()
    {
        return $this->id;
    }

    public function get_status()
    {
        return $this->status;
    }

    public function has_status($statuses)
    {
        return in_array($this->status, (array) $statuses, true);
    }

    /** Returns the total, rounded to the shop's decimals at the time the order was loaded. */
    public function get_total($context = 'view')
    {
        return $this->loaded[$this->total] ?? $this->total;
    }

    public function load()
    {
        $this->loaded = [$this->total => number_format((float) $this->total, wc_get_price_decimals(), '.', '')];
    }

    public function get_currency()
    {
        return $this->currency;
    }

    public function get_payment_method()
    {
        return $this->method;
    }

    public function get_transaction_id()
    {
        return $this->transaction;
    }

    public function get_payment_method_title()
    {
        return $this->methodTitle;
    }

    public function set_payment_method($gateway)
    {
        $this->method = $gateway->id;
        $this->methodTitle = $gateway->get_title();
    }

    public function needs_payment()
    {
        $statuses = apply_filters('woocommerce_valid_order_statuses_for_payment', ['pending', 'failed'], $this);
        return $this->has_status($statuses) && (float) $this->total > 0;
    }

    public function is_paid()
    {
        return $this->has_status(wc_get_is_paid_statuses());
    }

    public function needs_processing()
    {
        return !$this->isVirtual;
    }

    public function set_date_paid($time)
    {
    }

    public function get_billing_email()
    {
        return $this->email;
    }

    public function get_billing_country()
    {
        return 'DE';
    }

    public function get_date_paid()
    {
        return $this->transaction === '' ? null : new DateTimeImmutable('2026-11-24');
    }

    public function get_checkout_payment_url($onReceipt = false)
    {
        return "https://shop.example/checkout/order-pay/{$this->id}?" . ($onReceipt ? 'receipt' : 'choose');
    }

    public function get_checkout_order_received_url()
    {
        return "https://shop.example/checkout/order-received/{$this->id}";
    }

    public function get_view_order_url()
    {
        return "https://shop.example/my-account/view-order/{$this->id}";
    }

    public function has_cart_hash($hash)
    {
        return $hash === "cart of {$this->id}";
    }

    public function get_date_modified()
    {
        return new DateTimeImmutable('@' . $this->modifiedAt);
    }

    public function get_edit_order_url()
    {
        return $this->editUrl ?? "https://shop.example/wp-admin/order/{$this->id}";
    }

    public function set_transaction_id($id)
    {
        $this->transaction = $id;
    }

    public function get_items($types = 'line_item')
    {
        $items = $this->items ?? [11 => new FakeItem('line_item', (string) $this->total, [], 2)];
        return array_filter($items, static function (FakeItem $item) use ($types): bool {
            return in_array($item->type, (array) $types, true);
        });
    }

    public function get_order_number()
    {
        return $this->number ?? (string) $this->id;
    }

    public function get_order_key()
    {
        return "wc_order_{$this->id}";
    }

    public function save()
    {
    }

    public function update_status($status)
    {
        if (World::$ignoredStatus !== $status && $this->status !== $status) {
            $this->status = $status;
            do_action("woocommerce_order_status_$status", $this->id, $this);
        }
    }

    /** Changes only orders in one of four statuses, but always returns true. */
    public function payment_complete($transactionId)
    {
        $statuses = ['on-hold', 'pending', 'failed', 'cancelled'];
        if ($this->has_status(apply_filters('woocommerce_valid_order_statuses_for_payment_complete', $statuses, $this))) {
            $this->transaction = $transactionId;
            $status = $this->needs_processing() ? 'processing' : 'completed';
            $this->update_status(apply_filters('woocommerce_payment_complete_order_status', $status, $this->id, $this));
        }
        return true;
    }

    public function add_order_note($text)
    {
        $this->notes[] = $text;
    }

    public function get_refunds()
    {
        return $this->refunds;
    }

    public function get_total_refunded()
    {
        return array_sum(array_map(static function ($refund): float {
            return (float) $refund->amount;
        }, $this->refunds));
    }

    public function get_remaining_refund_amount()
    {
        return round((float) $this->get_total() - $this->get_total_refunded(), wc_get_price_decimals());
    }
}

class FakeItem
{
    public $type;
    private $total;
    private $taxes;
    private $quantity;

    public function __construct(string $type, string $total, array $taxes = [], int $quantity = 1)
    {
        $this->type = $type;
        $this->total = $total;
        $this->taxes = $taxes;
        $this->quantity = $quantity;
    }

    public function get_name()
    {
        return 'Stoneware mug';
    }

    public function get_quantity()
    {
        return $this->quantity;
    }

    public function get_total()
    {
        return $this->total;
    }

    public function get_taxes()
    {
        return ['total' => $this->taxes];
    }

    public function is_type($type)
    {
        return $this->type === $type;
    }
}

class WC_Payment_Gateway
{
    public $id;
    public $enabled;
    public $title;
    public $description;
    public $form_fields = [];
    public $settings = [];
    public $supports = ['products'];

    public function init_settings()
    {
        $this->settings = get_option('woocommerce_tillgate_settings', []);
        $this->enabled = $this->settings['enabled'] ?? 'no';
    }

    public function get_option($name)
    {
        return $this->settings[$name] ?? $this->form_fields[$name]['default'] ?? '';
    }

    public function get_title()
    {
        return $this->title;
    }

    public function get_description()
    {
        return $this->description;
    }

    public function get_order_total()
    {
        return World::$cart === null ? 0 : World::$cart->total;
    }

    public function get_transaction_url($order)
    {
        return '';
    }

    public function is_available()
    {
        return $this->enabled === 'yes';
    }

    public function supports($feature)
    {
        return in_array($feature, $this->supports, true);
    }
}

class WC_Order_Refund
{
    public $id;
    public $amount;
    public $parent;
    public $reason = '';
    public $isPaidBack = false;
    public $lines = [];
    public $isRestocked = false;
    public $createdAt;
    /** @var array<string, string[]> values by key, as in database rows */
    public $meta = [];
    private $pending = [];

    public function __construct(int $id, string $amount, int $parent = 7)
    {
        $this->id = $id;
        $this->amount = $amount;
        $this->parent = $parent;
        $this->createdAt = World::$now;
    }

    public function get_parent_id()
    {
        return $this->parent;
    }

    public function get_date_created()
    {
        return new DateTimeImmutable('@' . ($this->createdAt + time() - World::$now));
    }

    public function get_refunded_payment()
    {
        return $this->isPaidBack;
    }

    public function get_id()
    {
        return $this->id;
    }

    public function get_amount()
    {
        return $this->amount;
    }

    public function get_meta($name)
    {
        return $this->pending[$name] ?? $this->meta[$name][0] ?? '';
    }

    public function update_meta_data($name, $value)
    {
        $this->pending[$name] = $value;
    }

    public function delete_meta_data($name)
    {
        unset($this->pending[$name], $this->meta[$name]);
    }

    public function save_meta_data()
    {
        foreach ($this->pending as $name => $value) {
            $this->meta[$name][] = $value;
        }
        $this->pending = [];
    }

    public function save()
    {
        do_action('woocommerce_before_order_refund_object_save', $this, null);
        $this->save_meta_data();
        if ($this->id === 0) {
            World::$lastRefundId += 1;
            $this->id = World::$lastRefundId;
        }
    }
}

class WC_Data_Store
{
    public static function load($name)
    {
        return new self();
    }

    public function has_callable($name)
    {
        return false;
    }
}

class WC_Cache_Helper
{
    public static function get_cache_prefix($group)
    {
        return $group;
    }
}

function wc_get_order($id)
{
    foreach (World::$orders as $order) {
        foreach ($order instanceof WC_Order ? $order->refunds : [] as $refund) {
            if ($refund->get_id() === $id) {
                return $refund;
            }
        }
    }
    if (isset(World::$orders[$id])) {
        World::$orders[$id]->load();
    }
    return World::$orders[$id] ?? false;
}

function wc_get_order_notes($query)
{
    return array_map(static function (string $note): object {
        return (object) ['content' => $note];
    }, World::$orders[$query['order_id']]->notes);
}

function wc_get_is_paid_statuses()
{
    return apply_filters('woocommerce_order_is_paid_statuses', ['processing', 'completed']);
}

function wc_get_order_statuses()
{
    return ['wc-pending' => 'Pending payment', 'wc-processing' => 'Processing', 'wc-on-hold' => 'On hold', 'wc-completed' => 'Completed', 'wc-packed' => 'Packed'];
}

function wc_get_order_status_name($status)
{
    $names = wc_get_order_statuses() + ['wc-cancelled' => 'Cancelled', 'wc-refunded' => 'Refunded', 'wc-failed' => 'Failed'];
    return $names["wc-$status"] ?? $status;
}

function wc_get_price_decimals()
{
    return apply_filters('wc_get_price_decimals', World::$decimals);
}

function wc_format_decimal($value)
{
    return rtrim(rtrim(sprintf('%.6F', $value), '0'), '.');
}

function wc_maybe_increase_stock_levels($id)
{
    World::$orders[$id]->stockReturns += 1;
}

function wc_add_notice($text, $kind)
{
    World::$notices[] = "$kind: $text";
}

function wc_has_notice($text, $kind)
{
    return in_array("$kind: $text", World::$notices, true);
}

function wc_get_page_permalink($page)
{
    return "https://shop.example/$page/";
}

function wc_get_logger()
{
    return new class {
        public function log($level, $text, $context)
        {
            World::$log[] = "$level: $text";
        }
    };
}

function WC()
{
    return new class {
        public $cart;
        public $customer;
        public $session;
        public $countries;

        public function __construct()
        {
            $this->cart = World::$cart;
            $this->session = new stdClass();
            $this->countries = new class {
                public function get_countries()
                {
                    return ['DE' => 'Germany', 'CM' => 'Cameroon'];
                }
            };
        }

        public function api_request_url($name)
        {
            return "https://shop.example/wc-api/$name/";
        }

        public function payment_gateways()
        {
            return new class {
                public function payment_gateways()
                {
                    return ['tillgate' => new Tillgate\WooCommerce\Shop\Gateway()];
                }
            };
        }

        public function mailer()
        {
            return new class {
                public function customer_invoice($order)
                {
                    World::$emails[] = ['to' => $order->get_billing_email(), 'subject' => 'invoice', 'text' => ''];
                }
            };
        }
    };
}

/** WooCommerce's callback for Refunded orders; due to float errors, it may refund "-0". */
function wc_order_fully_refunded($orderId)
{
    $remaining = World::$orders[$orderId]->get_remaining_refund_amount();
    $text = rtrim(rtrim(number_format($remaining, 2, '.', ''), '0'), '.');
    if ($remaining !== 0.0) {
        wc_create_refund(['order_id' => $orderId, 'amount' => $text, 'reason' => 'Order fully refunded.']);
    }
}

/**
 * Like WooCommerce: saves the refund twice, with hooks in between; deletes it if the gateway fails; decides by the initial remainder whether
 * the order is fully refunded. With orders as posts, the refund counts from its first save, otherwise from its second.
 */
function wc_create_refund($arguments)
{
    $order = wc_get_order($arguments['order_id']);
    do_action('fake_refund_start', $order);
    $remaining = $order->get_remaining_refund_amount();
    if ((float) $arguments['amount'] > round($remaining, 6)) {
        return new WP_Error('error', 'Invalid refund amount.');
    }
    $refund = new WC_Order_Refund(0, World::$ordersArePosts ? $arguments['amount'] : '0', $order->id);
    $refund->reason = $arguments['reason'] ?? '';
    $refund->lines = $arguments['line_items'] ?? [];
    $refund->isRestocked = $arguments['restock_items'] ?? false;
    $refund->save();
    $order->refunds[] = $refund;
    do_action('woocommerce_create_refund', $refund, $arguments);
    $refund->amount = $arguments['amount'];
    $refund->save();
    if (!empty($arguments['refund_payment'])) {
        $result = (World::$gateway)($order->id, $arguments['amount'], $arguments['reason'] ?? '');
        if (is_wp_error($result)) {
            $order->refunds = array_values(array_filter($order->refunds, static function ($other) use ($refund): bool {
                return $other !== $refund;
            }));
            $refund->id = 0;
            return $result;
        }
        $refund->isPaidBack = true;
    }
    if ($remaining - $arguments['amount'] <= 0) {
        $order->update_status('refunded');
    }
    do_action('woocommerce_refund_created', $refund->id, $arguments);
    return $refund;
}
