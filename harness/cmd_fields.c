/* SPDX-License-Identifier: Apache-2.0
 *
 * `tpb fields`: the compared fields, one a line.
 */
#include "harness/cmd.h"

#include "isa/state.h"

#include <stdio.h>

int cmd_fields(int argc, char **argv)
{
	static const struct argp argp = {
	    NULL,
	    NULL,
	    "",
	    "List the fields that are compared after every cycle: name, bits, "
	    "elements, meaning.  All fields of isa/state.def, no other.",
	    NULL,
	    NULL,
	    NULL};
	int status = cmd_parse(&argp, argc, argv, NULL);

	if (status != CMD_OK)
		return status;
	for (int f = 0; f < state_nfields; f++) {
		const struct state_field *d = &state_fields[f];
		printf("%-15s %2d x %-3d  %s\n", d->name, d->width, d->count,
		       d->text);
	}
	return CMD_OK;
}
