<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Admin\ConnectShop;
use Tillgate\WooCommerce\Admin\PaymentActions;
use Tillgate\WooCommerce\Admin\SiteMoveNotice;
use Tillgate\WooCommerce\Api\Client;
use Tillgate\WooCommerce\Cli\Commands;
use Tillgate\WooCommerce\Payments\CancelPayment;
use Tillgate\WooCommerce\Payments\CheckAttempt;
use Tillgate\WooCommerce\Payments\CompareRefunds;
use Tillgate\WooCommerce\Payments\RequestRefund;
use Tillgate\WooCommerce\Payments\ScheduledCheck;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Alerts;
use Tillgate\WooCommerce\Shop\Connection;
use Tillgate\WooCommerce\Shop\Credentials;
use Tillgate\WooCommerce\Shop\OrderChanges;
use Tillgate\WooCommerce\Shop\Schedule;
use Tillgate\WooCommerce\Shop\SiteAddress;

/** A copy of the shop has the shop's keys and payments, but must not act on them. */
final class SiteAddressTest extends TestCase
{
    private Services $services;
    private Attempt $attempt;

    protected function setUp(): void
    {
        $this->services = World::reset();
        World::order(7);
        $this->attempt = (new StartPayment($this->services))->run(7);
        World::$tillgate->calls = [];
    }

    public function testDoesNotCancelOrRefundPaymentsOnACopyWithoutTheOrder(): void
    {
        $this->copyTo('https://staging.example');
        unset(World::$orders[7]);
        World::$now += 90;
        (new ScheduledCheck($this->services))->run();
        World::$tillgate->pay($this->attempt->tillgateOrderId);
        World::$now += 90;
        (new ScheduledCheck($this->services))->run();
        self::assertSame([], World::$tillgate->calls);
        self::assertSame([], World::$tillgate->refunds);
        self::assertSame([], World::$emails);
    }

    public function testNeitherAcceptsNorRefundsNorCancelsPaymentsOnACopy(): void
    {
        $trxId = World::$tillgate->pay($this->attempt->tillgateOrderId);
        World::receive($this->services, 'pos.order.paid', $this->eventData($trxId));
        World::$tillgate->calls = [];
        $this->copyTo('https://shop.example/staging');
        self::assertStringContainsString('runs at shop.example/staging but was connected to Tillgate at shop.example', (string) $this->services->settings->setupError());
        World::order(8);
        $this->assertRejected(function (): void {
            (new StartPayment($this->services))->run(8);
        });
        self::assertInstanceOf(\WP_Error::class, (new RequestRefund($this->services))->run(7, '41.50', 'Broken'));
        World::$orders[7]->status = 'cancelled';
        $changes = new OrderChanges($this->services);
        $changes->trackOrderId(7);
        $changes->processChanges();
        self::assertSame([], World::$tillgate->calls);
        $this->copyTo('https://shop.example');
        World::$now += 200;
        (new ScheduledCheck($this->services))->run();
        self::assertSame([], World::$tillgate->refunds, 'A rejected refund was sent later.');
    }

    public function testDefersWebhooksDeliveredToACopy(): void
    {
        $this->copyTo('https://staging.example');
        $response = (new \Tillgate\WooCommerce\Http\WebhookRoute($this->services))->receive(new \WP_REST_Request([], '{}'));
        self::assertSame(503, $response->status);
        self::assertSame('pending', World::$orders[7]->status);
    }

    public function testContinuesAfterTheMerchantConfirmsTheMove(): void
    {
        self::assertSame('', $this->question());
        $this->copyTo('https://new-shop.example');
        self::assertStringContainsString('Did this shop move?', $this->question());
        World::$user = 8;
        self::assertSame('', $this->question(), 'A user without the capability was asked.');
        SiteAddress::save();
        self::assertNull($this->services->settings->setupError());
        World::$tillgate->pay($this->attempt->tillgateOrderId);
        World::$now += 90;
        (new ScheduledCheck($this->services))->run();
        self::assertSame('processing', World::$orders[7]->status);
    }

    public function testDetectsACopiedDatabaseAtTheSameAddress(): void
    {
        [$file] = self::idFiles();
        file_put_contents($file, 'f00d');
        self::assertStringContainsString('with the files of another site', (string) $this->services->settings->setupError());
        World::$tillgate->pay($this->attempt->tillgateOrderId);
        World::$now += 90;
        (new ScheduledCheck($this->services))->run();
        self::assertSame('pending', World::$orders[7]->status);
        SiteAddress::save();
        (new ScheduledCheck($this->services))->run();
        self::assertSame('processing', World::$orders[7]->status);
        unlink($file);
        self::assertFalse(SiteAddress::hasMoved(), 'A host that rebuilt its files was mistaken for a copy.');
    }

    public function testDisconnectingACopyWithSharedUploadsDoesNotAffectTheRealShop(): void
    {
        $options = World::$options;
        $this->copyTo('https://staging.example');
        (new Connection($this->services))->disconnectCopy();
        self::assertTrue(SiteAddress::isCopy());
        self::assertCount(2, self::idFiles());
        World::$options = $options;
        self::assertNull(SiteAddress::question(), 'The real shop was affected.');
    }

    public function testHonoursTheConfirmedMoveEvenIfTheIdFileIsReadOnly(): void
    {
        $id = str_repeat('f0', 16);
        file_put_contents(self::idFiles()[0], $id);
        World::$isReadOnly = true;
        self::assertNotNull(SiteAddress::question());
        SiteAddress::save();
        self::assertNull(SiteAddress::question());
        self::assertStringEndsWith("id=$id", SiteAddress::header());
    }

    public function testChecksOpenPaymentsOfADisconnectedShop(): void
    {
        World::$tillgate->pay($this->attempt->tillgateOrderId);
        (new Connection($this->services))->disconnect();
        World::$now += 90;
        (new Schedule($this->services))->run();
        self::assertSame('processing', World::$orders[7]->status);
        self::assertSame([], World::$options[Alerts::OPTION] ?? []);
    }

    public function testAlertsIfTheSecretIsMissing(): void
    {
        World::$options['tillgate_credentials'] = [];
        (new Schedule($this->services))->run();
        self::assertArrayHasKey('settings', World::$options[Alerts::OPTION]);
    }

    /** @return array<int, string> */
    private static function idFiles(): array
    {
        return (array) glob(World::$uploads . '/tillgate/site-id-*');
    }

    public function testSendsTheSiteHeaderAndGivesCopiesANewId(): void
    {
        World::$tillgate->sites = [];
        $this->services->settings->client()->getOrder($this->attempt->tillgateOrderId);
        [$site] = World::$tillgate->sites;
        self::assertMatchesRegularExpression('~^shop\.example; id=[0-9a-f]{32}$~D', $site);
        $this->copyTo("https://www.Stäging.example/a b\r\nX: y");
        (new Connection($this->services))->disconnectCopy();
        self::assertMatchesRegularExpression('~^[!-\~]+; id=[0-9a-f]{32}$~D', SiteAddress::header());
        self::assertNotSame(strstr($site, 'id='), strstr(SiteAddress::header(), 'id='));
    }

    /** @dataProvider changes */
    public function testRejectsPaymentOperationsOnACopyOfTheSite(callable $change): void
    {
        $this->copyTo('https://staging.example');
        $this->assertRejected(function () use ($change): void {
            $change($this->services, $this->attempt);
        });
        self::assertSame([], World::$tillgate->calls);
        self::assertSame('pending', World::$orders[7]->status);
    }

    /** @return array<string, array{callable}> */
    public function changes(): array
    {
        return [
            'start' => [static function (Services $services): void {
                (new StartPayment($services))->run(7);
            }],
            'check' => [static function (Services $services, Attempt $attempt): void {
                (new CheckAttempt($services))->run($attempt);
            }],
            'cancel' => [static function (Services $services): void {
                (new CancelPayment($services))->run(7);
            }],
            'compare refunds' => [static function (Services $services, Attempt $attempt): void {
                (new CompareRefunds($services))->run($attempt);
            }],
            'locking an order' => [static function (Services $services): void {
                $services->locks->withOrderLock(7, static function (): void {
                    World::$orders[7]->status = 'cancelled';
                });
            }],
        ];
    }

    public function testDisconnectingACopyDeletesItsKeysAndLeavesTheRealShopsPaymentUnchanged(): void
    {
        $this->copyTo('https://staging.example');
        (new Connection($this->services))->disconnectCopy();
        self::assertSame([], Credentials::all());
        self::assertSame('', $this->question());
        // After reconnecting with the same client ID, the real shop's payment is unchanged.
        Credentials::save('sandbox', World::CLIENT, World::SECRET, World::ADDRESS);
        World::$options['woocommerce_tillgate_settings']['client_id'] = World::CLIENT;
        World::$orders[7]->status = 'cancelled';
        (new CheckAttempt($this->services))->cancelIfStale($this->attempt->id);
        World::$now += 90;
        (new ScheduledCheck($this->services))->run();
        self::assertSame([], World::$tillgate->calls);
    }

    public function testRejectsLiveModeOnACopy(): void
    {
        $this->copyTo('https://staging.example');
        (new Connection($this->services))->disconnectCopy();
        Credentials::save('live', 'tg_live_1', 'tgs_live_1', World::ADDRESS);
        World::$options['woocommerce_tillgate_settings'] = ['mode' => 'live', 'client_id' => 'tg_live_1'] + World::$options['woocommerce_tillgate_settings'];
        self::assertStringContainsString('sandbox payments only', (string) $this->services->settings->setupError());
        SiteAddress::save();
        self::assertNull($this->services->settings->setupError(), 'A shop that has moved is still treated as a copy.');
    }

    public function testShowsASnoozedMoveQuestionOnlyInTheSettings(): void
    {
        $this->copyTo('https://staging.example');
        update_user_option(World::$user, 'tillgate_site_later', time() + 60);
        self::assertSame('', $this->question());
        $_GET['section'] = 'tillgate';
        self::assertStringContainsString('Did this shop move?', $this->question());
        unset($_GET['section']);
        update_user_option(World::$user, 'tillgate_site_later', time() - 1);
        self::assertStringContainsString('Ask me later', $this->question());
    }

    public function testAcceptsTheMovedOrCopyDecisionFromTheCommandLine(): void
    {
        $commands = new Commands($this->services);
        $this->copyTo('https://new-shop.example');
        try {
            $commands->site([]);
            self::fail('Expected the question.');
        } catch (\RuntimeException $error) {
            self::assertStringContainsString('wp tillgate site moved', $error->getMessage());
        }
        $commands->site(['moved']);
        self::assertSame(['Success: new-shop.example'], \WP_CLI::$lines);
        self::assertNull($this->services->settings->setupError());
        $this->copyTo('https://staging.example');
        \WP_CLI::$lines = [];
        $commands->site(['copy']);
        self::assertSame(['Success: staging.example (a copy: sandbox only)'], \WP_CLI::$lines);
        self::assertSame([], Credentials::all());
    }

    /** @dataProvider commandsThatChangePayments */
    public function testRejectsCommandsThatChangePaymentsUntilTheMerchantDecidesWhetherTheShopMoved(string $state, string $command, array $orders): void
    {
        if ($state === 'paid') {
            World::$tillgate->pay($this->attempt->tillgateOrderId);
            (new Commands($this->services))->check(['7']);
        }
        World::$tillgate->calls = [];
        $this->copyTo('https://new-shop.example');
        try {
            (new Commands($this->services))->$command($orders, []);
            self::fail("Expected an error, not:\n" . implode("\n", \WP_CLI::$lines));
        } catch (\RuntimeException $error) {
            self::assertStringContainsString('wp tillgate site moved', $error->getMessage());
        }
        self::assertSame([], World::$tillgate->calls);
    }

    /** @return iterable<array{string, string, string[]}> */
    public static function commandsThatChangePayments(): iterable
    {
        foreach (['pending', 'paid'] as $state) {
            foreach (['check', 'replay'] as $command) {
                yield "$command all, $state" => [$state, $command, []];
                yield "$command one, $state" => [$state, $command, ['7']];
            }
        }
    }

    public function testIgnoresACopyDecisionFromAnOutdatedPageAfterTheShopMoved(): void
    {
        $this->copyTo('https://new-shop.example');
        SiteAddress::save();
        (new Connection($this->services))->disconnectCopy();
        self::assertNull($this->services->settings->setupError(), 'The moved shop lost its keys.');
        self::assertTrue($this->services->attempts->byId($this->attempt->id)->isOpen());
    }

    public function testOffersNoActionsUntilTheMerchantDecidesWhetherTheShopMoved(): void
    {
        $actions = new PaymentActions($this->services);
        self::assertSame(['check', 'send', 'renew', 'cancel'], array_keys($actions->available(World::$orders[7])));
        $this->copyTo('https://staging.example');
        self::assertSame([], $actions->available(World::$orders[7]));
        ob_start();
        ConnectShop::showBox($this->services->settings);
        self::assertSame('', ob_get_clean(), 'The connect box is shown before the merchant has decided.');
    }

    /** @dataProvider addresses */
    public function testIgnoresSchemeLetterCaseAndWwwWhenComparingAddresses(string $home, bool $isSame): void
    {
        $this->copyTo($home);
        self::assertSame(!$isSame, SiteAddress::hasMoved());
    }

    public function addresses(): array
    {
        return [
            ['http://shop.example', true],
            ['https://www.Shop.example/', true],
            ['https://shop.example:8443', false],
            ['https://shop.example/fr', false],
            ['https://staging.shop.example', false],
        ];
    }

    public function testStoresTheAddressInAFormThatSearchAndReplaceDoesNotFind(): void
    {
        self::assertStringNotContainsString('shop.example', World::$options[SiteAddress::OPTION]);
    }

    private function copyTo(string $home): void
    {
        World::$options['home'] = $home;
    }

    private function question(): string
    {
        ob_start();
        (new SiteMoveNotice($this->services))->show();
        return (string) ob_get_clean();
    }

    private function assertRejected(callable $call): void
    {
        try {
            $call();
            self::fail('Expected an exception.');
        } catch (PluginError $error) {
            self::assertTrue($error->is(PluginError::REJECTED));
        }
    }

    /** @return array<string, mixed> */
    private function eventData(string $trxId): array
    {
        $order = World::$tillgate->orders[$this->attempt->tillgateOrderId];
        return [
            'order_id' => $order['order_id'],
            'amount' => $order['raw_amount'],
            'currency' => $order['currency'],
            'status' => 'PAID',
            'reference' => $order['reference'],
            'trx_id' => $trxId,
            'refunded_amount' => 0,
            'version' => 2,
        ];
    }
}
