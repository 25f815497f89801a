/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the text of a SCSI command that libtraceevent's plugin and the kernel share. */
#ifndef TDAT_MODEL_NATIVE_SCSI_H
#define TDAT_MODEL_NATIVE_SCSI_H

#include "core/build.h"

enum { MODEL_SCSI_CDB = 32 };

enum model_scsi_numbers {
	MODEL_SCSI_SPREAD, /* four bytes are an int, whose highest bit spreads over 64 bits */
	MODEL_SCSI_SBC	   /* unsigned, and READ(6) of length 0 reads 256 blocks */
};

void model_scsi_cdb(struct tdat_build *out, const uint8_t cdb[MODEL_SCSI_CDB],
		    enum model_scsi_numbers numbers);

#endif
