/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of enumerators by kernel. The values are those of kernel headers, and where a comment
 * names a recording of corpus/truth, the kernel's own text shows the number and the name.
 */
#include <check.h>
#include <string.h>

#include "../common/run.h"
#include "model/kernel_consts.h"

static const struct {
	const char *name;
	uint32_t kernel;
	bool known;
	int64_t value;
} cases[] = {
	/* x64-612-timer: hrtimer_start of mode 8 prints mode=ABS|HARD. */
	{"HRTIMER_MODE_ABS_HARD", MODEL_KERNEL(6, 12, 117), true, 8},
	/* x64-612-block: the class of ioprio, scsi_dispatch_cmd_done, ata_qc_issue. */
	{"IOPRIO_CLASS_NONE", MODEL_KERNEL(6, 12, 117), true, 0},
	{"IOPRIO_CLASS_IDLE", 0, true, 3},
	{"ATA_PROT_NCQ", MODEL_KERNEL(6, 12, 117), true, 6},
	{"ATA_CMD_FPDMA_READ", MODEL_KERNEL(6, 12, 117), true, 0x60},
	{"SCSI_PROT_NORMAL", MODEL_KERNEL(6, 12, 117), true, 0},
	/* The protocols were numbered anew between 4.4 and 4.14; nothing is known between. */
	{"ATA_PROT_NCQ", MODEL_KERNEL(4, 4, 0), true, 4},
	{"ATA_PROT_NCQ", MODEL_KERNEL(4, 14, 0), true, 6},
	{"ATA_PROT_NCQ", MODEL_KERNEL(4, 9, 0), false, 0},
	{"ATA_PROT_NCQ", 0, false, 0},
	/* A number of the ABI holds for later kernels, an internal one does not. */
	{"NL80211_BAND_6GHZ", MODEL_KERNEL(7, 9, 0), true, 3},
	{"HSM_ST_IDLE", MODEL_KERNEL(6, 18, 9), true, 0},
	{"HSM_ST_IDLE", MODEL_KERNEL(6, 19, 0), false, 0},
	{"HSM_ST_IDL", MODEL_KERNEL(6, 12, 0), false, 0},
	{"HSM_ST_IDLEX", MODEL_KERNEL(6, 12, 0), false, 0},
	{"", 0, false, 0},
	/* Depends on the architecture or the configuration. */
	{"HZ", MODEL_KERNEL(6, 12, 0), false, 0},
	{"PG_locked", MODEL_KERNEL(6, 12, 0), false, 0},
};

START_TEST(test_values)
{
	const char *name = cases[_i].name;
	int64_t value = -1;
	bool known = model_kernel_const(name, strlen(name), cases[_i].kernel, &value);

	ck_assert_msg(known == cases[_i].known, "%s: known %d", name, known);
	if (known)
		ck_assert_int_eq(value, cases[_i].value);
}
END_TEST

/* Names ascend; ranges of a name ascend and do not meet; each row is found by its range. */
START_TEST(test_table)
{
	ck_assert_uint_gt(model_kernel_const_count, 3000);
	for (size_t i = 0; i < model_kernel_const_count; i++) {
		const struct model_kernel_const *c = &model_kernel_consts[i];
		size_t len = strnlen(c->name, sizeof(c->name));
		int order = i ? strcmp(c[-1].name, c->name) : -1;
		int64_t value = 0;

		ck_assert_msg(len && len < sizeof(c->name), "row %zu has no name", i);
		ck_assert_msg(order < 0 || (!order && c[-1].until < c->since), "%s is not in order",
			      c->name);
		ck_assert_msg(order || (c->changed && c[-1].changed), "%s", c->name);
		ck_assert(model_kernel_const(c->name, len, c->until, &value));
		ck_assert_int_eq(value, c->value);
		ck_assert(model_kernel_const(c->name, len, 0, &value) == !c->changed);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("kernel_consts");
	TCase *tcase = tcase_create("kernel_consts");

	tcase_add_loop_test(tcase, test_values, 0, sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(tcase, test_table);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
