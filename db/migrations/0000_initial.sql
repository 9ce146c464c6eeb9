CREATE TABLE `dismissals` (
	`session_id` text NOT NULL,
	`person` text NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`session_id`, `person`)
);
--> statement-breakpoint
CREATE TABLE `document_versions` (
	`document_id` text NOT NULL,
	`version` integer NOT NULL,
	`document_json` text NOT NULL,
	`note` text NOT NULL,
	`by` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`document_id`, `version`),
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `documents` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`draft_json` text NOT NULL,
	`draft_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`current_version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE TABLE `drafts` (
	`session_id` text NOT NULL,
	`person` text NOT NULL,
	`text` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`session_id`, `person`)
);
--> statement-breakpoint
CREATE TABLE `indexed_logs` (
	`log_id` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`serial_key` text NOT NULL,
	`priority` integer NOT NULL,
	`state` text NOT NULL,
	`payload_json` text NOT NULL,
	`owner` text,
	`lease_until` integer,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`ended_at` integer,
	`code` text
);
--> statement-breakpoint
CREATE INDEX `jobs_waiting` ON `jobs` (`state`,`priority`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_serial` ON `jobs` (`serial_key`) WHERE state = 'running';--> statement-breakpoint
CREATE TABLE `model_facts` (
	`provider` text NOT NULL,
	`model` text NOT NULL,
	`facts_json` text NOT NULL,
	PRIMARY KEY(`provider`, `model`)
);
--> statement-breakpoint
CREATE TABLE `providers` (
	`id` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL,
	`document_json` text NOT NULL,
	`key_cipher` text
);
--> statement-breakpoint
CREATE TABLE `running_parts` (
	`message_id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`turn_id` text NOT NULL,
	`parts_json` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`log_id` text NOT NULL,
	`kind` text NOT NULL,
	`agent_id` text,
	`title` text NOT NULL,
	`pinned` integer NOT NULL,
	`archived` integer NOT NULL,
	`deleted` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`head_seq` integer NOT NULL,
	`row_json` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_updated` ON `sessions` (`updated_at`);--> statement-breakpoint
CREATE INDEX `sessions_log` ON `sessions` (`log_id`);--> statement-breakpoint
CREATE TABLE `settings` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`value_json` text NOT NULL
);
