/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: the entry point; everything lies in om__cli_main so that tests can call it. */
#include "cli/command.h"

int main(int argc, char **argv)
{
    return om__cli_main(argc, argv);
}
