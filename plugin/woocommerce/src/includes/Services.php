<?php

namespace Tillgate\WooCommerce;

use Tillgate\WooCommerce\Payments\RuleContext;
use Tillgate\WooCommerce\Records\Attempts;
use Tillgate\WooCommerce\Records\Comparisons;
use Tillgate\WooCommerce\Records\Differences;
use Tillgate\WooCommerce\Records\Events;
use Tillgate\WooCommerce\Records\Locks;
use Tillgate\WooCommerce\Records\Refunds;
use Tillgate\WooCommerce\Rules\DifferenceTexts;
use Tillgate\WooCommerce\Rules\Rules;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\Shop\Log;
use Tillgate\WooCommerce\Shop\PendingRefundRecords;
use Tillgate\WooCommerce\Shop\RefundedOrders;
use Tillgate\WooCommerce\Shop\Settings;

/** The services are created once per request. */
final class Services
{
    public Settings $settings;
    public Money $money;
    public Rules $rules;
    public DifferenceTexts $differenceTexts;
    public RuleContext $ruleContext;
    public Locks $locks;
    public Attempts $attempts;
    public Comparisons $comparisons;
    public Differences $differences;
    public Events $events;
    public Refunds $refunds;
    public PendingRefundRecords $pendingRefundRecords;
    public RefundedOrders $refundedOrders;
    public Log $log;
    public Health $health;

    public function __construct(\wpdb $wpdb, string $rulesFolder)
    {
        $this->settings = new Settings();
        $this->money = Money::load("$rulesFolder/currencies.json");
        $this->rules = new Rules("$rulesFolder/transitions.json");
        $this->differenceTexts = new DifferenceTexts("$rulesFolder/comparison.json");
        $this->ruleContext = new RuleContext($this->money, $this->rules);
        $this->locks = new Locks($wpdb);
        $this->attempts = new Attempts($wpdb);
        $this->comparisons = new Comparisons($wpdb);
        $this->differences = new Differences($wpdb);
        $this->events = new Events($wpdb);
        $this->refunds = new Refunds($wpdb);
        $this->pendingRefundRecords = new PendingRefundRecords();
        $this->refundedOrders = new RefundedOrders($this->money);
        $this->log = new Log();
        $this->health = new Health();
    }
}
