<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Admin\AdminNotices;
use Tillgate\WooCommerce\Admin\HealthFindings;
use Tillgate\WooCommerce\Admin\StatusReport;
use Tillgate\WooCommerce\Cli\Commands;
use Tillgate\WooCommerce\Payments\CheckAttempt;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Alerts;
use Tillgate\WooCommerce\Shop\Health;

/** Notices, alert e-mails, reports and WP-CLI commands. */
final class MerchantAlertsTest extends TestCase
{
    private const DAY = 86400;

    private Services $services;

    protected function setUp(): void
    {
        $this->services = World::reset();
        World::order(7);
        World::$options += ['admin_email' => 'owner@shop.example', 'blog_public' => '1', 'permalink_structure' => '/%postname%/'];
        \WP_CLI::$lines = [];
    }

    public function testShowsAlertsImmediatelyAndEmailsPersistentOnesDaily(): void
    {
        $this->services->health->recordRejectedWebhook(Health::CAUSE_SECRET, 'Webhook rejected: bad_signature');
        $this->updateAlerts();
        self::assertSame([], World::$emails, 'A short-lived problem was e-mailed.');
        self::assertSame(['Webhooks rejected in the past 24 hours'], array_values($this->notices()->activeAlerts()), 'The notice is too long for a phone.');
        $this->assertActiveSince('refused', 299);
        $this->updateAlerts();
        self::assertSame([], World::$emails);
        $this->assertActiveSince('refused', 300);
        $this->updateAlerts();
        $this->updateAlerts();
        self::assertSame(['owner@shop.example'], array_column(World::$emails, 'to'));
        self::assertStringContainsString('bad_signature', World::$emails[0]['text']);
        self::assertStringContainsString('Enter the current secret', World::$emails[0]['text']);
        self::assertStringContainsString('page=wc-status&tab=tillgate', World::$emails[0]['text']);
        World::$options[Alerts::OPTION]['refused']['mailed_at'] -= self::DAY;
        $this->updateAlerts();
        self::assertCount(2, World::$emails);
    }

    public function testClearsResolvedAlerts(): void
    {
        $this->services->health->flagOrder(7, Health::CAUSE_ATTENTION, 'please compare');
        $this->services->health->recordError(Health::CAUSE_UNREACHABLE, 'Tillgate is unreachable');
        $this->updateAlerts();
        self::assertStringContainsString('Order 7: please compare', World::$options[Alerts::OPTION]['attention']['text'], 'Another error replaced the alert.');
        self::assertCount(1, $this->notices()->activeAlerts());
        $this->services->health->unflagOrder(7);
        $this->updateAlerts();
        self::assertSame([], $this->notices()->activeAlerts());
    }

    public function testClearsAnOrdersAlertOnceThatOrderIsResolved(): void
    {
        $this->services->health->flagOrder(77, Health::CAUSE_ATTENTION, 'please compare');
        $this->services->health->unflagOrder(7);
        $this->updateAlerts();
        self::assertCount(1, $this->notices()->activeAlerts(), 'Another order was resolved.');
        $this->services->health->unflagOrder(77);
        $this->updateAlerts();
        self::assertSame([], $this->notices()->activeAlerts());
    }

    public function testRespectsTheAlertRecipientSetting(): void
    {
        foreach (['books@shop.example' => 1, '' => 0] as $recipient => $emailCount) {
            World::$emails = [];
            World::$options[Alerts::OPTION] = [];
            World::$options['woocommerce_tillgate_settings']['alarm_mail'] = $recipient;
            $this->services->health->flagOrder(7, Health::CAUSE_ATTENTION, 'please compare');
            $this->updateAlerts();
            $this->assertActiveSince('attention', 300);
            $this->updateAlerts();
            self::assertCount($emailCount, World::$emails);
        }
    }

    public function testListsOrdersPaidOnOneSideOnly(): void
    {
        $attempt = $this->start();
        World::$orders[7]->status = 'processing';
        self::assertSame(['unpaid' => '7'], $this->problems(['unpaid', 'mismatches']));
        World::$orders[7]->method = 'bacs';
        self::assertSame([], $this->problems(['unpaid', 'mismatches']), 'Paid with another method.');
        World::$orders[7]->method = 'tillgate';
        World::$orders[7]->status = 'pending';
        World::$tillgate->pay($attempt->tillgateOrderId);
        (new CheckAttempt($this->services))->run($attempt);
        self::assertSame([], $this->problems(['unpaid', 'mismatches']));
        World::$orders[7]->status = 'failed';
        self::assertSame(['mismatches' => '7'], $this->problems(['unpaid', 'mismatches']));
    }

    public function testAlertsIfBackgroundTasksStop(): void
    {
        World::$options['tillgate_health_last_sweep'] = ['at' => time() - 3500, 'checked' => 0, 'failed' => 0, 'given_up' => 0];
        self::assertSame([], $this->notices()->activeAlerts());
        World::$options['tillgate_health_last_sweep']['at'] = time() - 3700;
        self::assertStringContainsString('Background tasks have stopped', implode($this->notices()->activeAlerts()));
        World::$options['woocommerce_tillgate_settings']['enabled'] = 'no';
        self::assertSame([], $this->notices()->activeAlerts(), 'A disabled payment method caused an alert.');
    }

    public function testWarnsOfTestModeInAPublicShop(): void
    {
        self::assertTrue($this->notices()->isPublicInTestMode());
        $this->assertShown('data-tillgate-notice="test"', true);
        World::$screen = 'edit-post';
        $this->assertShown('data-tillgate-notice="test"', false);
        World::$screen = 'woocommerce_page_wc-orders';
        $this->assertShown('data-tillgate-notice="test"', true);
        World::$user = 8;
        $this->assertShown('data-tillgate-notice="test"', false);
        foreach ([['woocommerce_coming_soon', 'yes'], ['blog_public', '0']] as [$option, $value]) {
            $before = World::$options[$option] ?? null;
            World::$options[$option] = $value;
            self::assertFalse($this->notices()->isPublicInTestMode(), $option);
            World::$options[$option] = $before;
        }
        World::$options['woocommerce_tillgate_settings']['mode'] = 'live';
        self::assertFalse($this->notices()->isPublicInTestMode());
    }

    public function testShowsAHiddenNoticeAgainLaterOrForANewAlert(): void
    {
        $this->services->health->recordRejectedWebhook(Health::CAUSE_SECRET, 'Webhook rejected: bad_signature');
        $this->updateAlerts();
        $this->assertShown('data-tillgate-notice="alarm"', true);
        $this->notices()->hide();
        $this->assertShown('data-tillgate-notice', false);
        World::$user = 9;
        self::assertFalse(get_user_option(AdminNotices::HIDDEN_OPTION, 9), 'The notice was hidden for another user.');
        World::$user = 7;
        $this->services->health->flagOrder(7, Health::CAUSE_ATTENTION, 'please compare');
        $this->updateAlerts();
        $this->assertShown('Orders that need attention', true);
        $this->assertShown('Webhooks rejected', false);
        $this->assertShown('data-tillgate-notice="test"', false);
        $rejected = 'refused ' . World::$options[Alerts::OPTION]['refused']['since'];
        foreach (['test' => 604800, $rejected => 86400] as $key => $seconds) {
            self::assertEqualsWithDelta(time() + $seconds, World::$users[7]['wp_' . AdminNotices::HIDDEN_OPTION][$key], 5);
            World::$users[7]['wp_' . AdminNotices::HIDDEN_OPTION][$key] = time() + 60;
        }
        $this->assertShown('Webhooks rejected', false);
        World::$users[7]['wp_' . AdminNotices::HIDDEN_OPTION] = array_fill_keys(array_keys(World::$users[7]['wp_' . AdminNotices::HIDDEN_OPTION]), time());
        $this->assertShown('Webhooks rejected', true);
        $this->assertShown('data-tillgate-notice="test"', true);
    }

    public function testShowsARecurringAlertAgain(): void
    {
        $this->services->health->recordRejectedWebhook(Health::CAUSE_SECRET, 'Webhook rejected: bad_signature');
        $this->updateAlerts();
        $this->notices()->hide();
        $this->assertActiveSince('refused', 60);
        $this->assertShown('Webhooks rejected', true);
    }

    public function testTranslatesAlertsWhenTheyAreShown(): void
    {
        foreach ((new HealthFindings($this->services))->all() as $finding) {
            $alarm = ['text' => 'Etwas: in der Sprache des Shops', 'advice' => '', 'since' => 1, 'mailed_at' => null];
            World::$options[Alerts::OPTION] = [$finding['name'] => $alarm];
            World::$translations = [$finding['title'] => "Translated: {$finding['title']}"];
            $this->assertShown('– Translated: ' . $finding['title'] . '.', true);
        }
    }

    public function testShowsNoNoticeOnTheStatusPage(): void
    {
        $this->assertShown('data-tillgate-notice', true);
        $_GET = ['page' => 'wc-status', 'tab' => 'tillgate'];
        $this->assertShown('data-tillgate-notice', false);
        $_GET = ['page' => 'wc-status', 'tab' => 'logs'];
        $this->assertShown('data-tillgate-notice', true);
        $_GET = [];
    }

    public function testReportsAllFindingsWithoutSecretsToWooCommerceAndSiteHealth(): void
    {
        $report = new StatusReport($this->services);
        ob_start();
        $report->show();
        $html = ob_get_clean() . json_encode($report->addInformation([]));
        foreach ((new HealthFindings($this->services))->all() as $finding) {
            self::assertStringContainsString($finding['title'], $html);
        }
        self::assertStringNotContainsString(World::SECRET, $html);
        self::assertArrayHasKey('tillgate', $report->addTests([])['direct']);
        World::$options['tillgate_health_last_sweep'] = ['at' => time(), 'checked' => 0, 'failed' => 0, 'given_up' => 0];
        self::assertSame('good', $report->test()['status']);
        World::$options['tillgate_health_clock'] = ['at' => time(), 'offset' => 200];
        self::assertSame('recommended', $report->test()['status']);
        $this->services->health->recordRejectedWebhook(Health::CAUSE_SECRET, '<b>');
        self::assertSame('critical', $report->test()['status']);
        self::assertStringContainsString('&lt;b&gt;', $report->test()['description']);
    }

    public function testExitsWithStatusOneIfTheStatusCommandFindsProblems(): void
    {
        World::$options['tillgate_health_last_sweep'] = ['at' => time(), 'checked' => 0, 'failed' => 0, 'given_up' => 0];
        $commands = new Commands($this->services);
        $commands->status([], []);
        self::assertStringContainsString('settings | yes', implode("\n", \WP_CLI::$lines));
        World::$options['woocommerce_tillgate_settings']['client_id'] = '';
        $this->expectExceptionMessage('Ended with 1');
        $commands->status([], []);
    }

    public function testChecksAndReplaysPaymentsFromTheCommandLine(): void
    {
        $attempt = $this->start();
        $commands = new Commands($this->services);
        $commands->check(['7']);
        self::assertContains("Order 7: {$attempt->tillgateOrderId}: pending", \WP_CLI::$lines);
        World::$tillgate->pay($attempt->tillgateOrderId);
        // The payment is applied by the replay, without a webhook.
        $commands->replay([], ['days' => '1']);
        self::assertSame('processing', World::$orders[7]->status);
        $commands->replay(['7'], []);
        self::assertCount(1, World::$orders[7]->notes);
        self::assertSame('Success: 1 processed, 0 failed.', end(\WP_CLI::$lines));
        World::$now += 2 * self::DAY;
        $commands->replay([], ['days' => '1']);
        self::assertSame('Success: 0 processed, 0 failed.', end(\WP_CLI::$lines));
        World::$tillgate->failures = ['before', 'before'];
        $this->expectExceptionMessage('Error: 1 processed, 1 failed.');
        $commands->replay(['7'], []);
    }

    public function testFailsTheCheckCommandWhileAnotherCheckIsRunning(): void
    {
        $commands = new Commands($this->services);
        $this->start();
        World::$now += 600;
        $commands->check([]);
        self::assertSame('Success: Checks run: 1, of which 0 failed.', end(\WP_CLI::$lines));
        $this->services->locks->runExclusively('sweep', function () use ($commands): void {
            $this->expectExceptionMessage('Error: Nothing was checked: another check is running.');
            $commands->check([]);
        });
    }

    /** @dataProvider ordersWithoutPayment */
    public function testRejectsCommandLineOrdersWithoutPayment(string $command, string $number): void
    {
        $attempt = $this->start();
        World::$tillgate->pay($attempt->tillgateOrderId);
        try {
            (new Commands($this->services))->$command(['7', $number], []);
            self::fail('The order was accepted.');
        } catch (\RuntimeException $error) {
            self::assertSame("Error: Order $number has no Tillgate payment. No payment was processed.", $error->getMessage());
        }
        self::assertSame('pending', World::$orders[7]->status);
    }

    public function ordersWithoutPayment(): array
    {
        return [['check', '8'], ['check', '7x'], ['check', '-7'], ['replay', '99999'], ['replay', '']];
    }

    public function testPrintsTheConnectionUrlFromTheCommandLine(): void
    {
        $commands = new Commands($this->services);
        $commands->connect([], []);
        self::assertStringStartsWith('https://api.example/connect?', \WP_CLI::$lines[0]);
        self::assertIsArray(get_transient('tillgate_connecting_7'));
        World::$user = 0;
        $this->expectExceptionMessage('--user');
        $commands->connect([], []);
    }

    public function testRejectsInsecureServerUrlsFromTheCommandLine(): void
    {
        $this->expectExceptionMessage('--address');
        (new Commands($this->services))->connect([], ['address' => 'http://api.example']);
    }

    private function assertShown(string $html, bool $isExpected): void
    {
        ob_start();
        $this->notices()->show();
        self::assertSame($isExpected, strpos((string) ob_get_clean(), $html) !== false);
    }

    private function notices(): AdminNotices
    {
        return new AdminNotices($this->services);
    }

    private function updateAlerts(): void
    {
        (new Alerts($this->services->settings))->update((new HealthFindings($this->services))->all());
    }

    private function assertActiveSince(string $name, int $seconds): void
    {
        World::$options[Alerts::OPTION][$name]['since'] = time() - $seconds;
    }

    /** @return array<string, string> texts of those findings that are not OK, by name */
    private function problems(array $names): array
    {
        delete_transient('tillgate_unpaid');
        delete_transient('tillgate_mismatches');
        $bad = [];
        foreach ((new HealthFindings($this->services))->all() as $finding) {
            if (!$finding['ok'] && in_array($finding['name'], $names, true)) {
                $bad[$finding['name']] = $finding['text'];
            }
        }
        return $bad;
    }

    private function start(): \Tillgate\WooCommerce\Records\Attempt
    {
        return (new StartPayment($this->services))->run(7);
    }
}
