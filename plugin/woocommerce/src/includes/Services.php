<?php

namespace Tillgate\WooCommerce;

use Tillgate\WooCommerce\Payments\Situation;
use Tillgate\WooCommerce\Records\Attempts;
use Tillgate\WooCommerce\Records\Claims;
use Tillgate\WooCommerce\Records\Comparisons;
use Tillgate\WooCommerce\Records\Differences;
use Tillgate\WooCommerce\Records\Events;
use Tillgate\WooCommerce\Records\Refunds;
use Tillgate\WooCommerce\Rules\ComparisonRules;
use Tillgate\WooCommerce\Rules\Rules;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\Shop\Log;
use Tillgate\WooCommerce\Shop\RecordsInHand;
use Tillgate\WooCommerce\Shop\RefundedOrders;
use Tillgate\WooCommerce\Shop\Settings;

/** All that the operations work with. */
final class Services
{
    /** @var Settings */
    public $settings;

    /** @var Money */
    public $money;

    /** @var Rules */
    public $rules;

    /** @var ComparisonRules */
    public $comparison;

    /** @var Situation */
    public $situation;

    /** @var Claims */
    public $claims;

    /** @var Attempts */
    public $attempts;

    /** @var Comparisons */
    public $comparisons;

    /** @var Differences */
    public $differences;

    /** @var Events */
    public $events;

    /** @var Refunds */
    public $refunds;

    /** @var RecordsInHand */
    public $recordsInHand;

    /** @var RefundedOrders */
    public $refundedOrders;

    /** @var Log */
    public $log;

    /** @var Health */
    public $health;

    public function __construct(\wpdb $wpdb, string $rulesFolder)
    {
        $this->settings = new Settings();
        $this->money = Money::load("$rulesFolder/currencies.json");
        $this->rules = Rules::load("$rulesFolder/transitions.json");
        $this->comparison = ComparisonRules::load("$rulesFolder/comparison.json");
        $this->situation = new Situation($this->money, $this->rules);
        $this->claims = new Claims($wpdb);
        $this->attempts = new Attempts($wpdb);
        $this->comparisons = new Comparisons($wpdb);
        $this->differences = new Differences($wpdb);
        $this->events = new Events($wpdb);
        $this->refunds = new Refunds($wpdb);
        $this->recordsInHand = new RecordsInHand();
        $this->refundedOrders = new RefundedOrders($this->money);
        $this->log = new Log();
        $this->health = new Health();
    }
}
