/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A plugin of QEMU that counts the guest's instructions in a page that the
 * guest can read (instructions.h). Build: cc -shared -fPIC; load: qemu-... -plugin.
 *
 * The declarations are those of QEMU's documented plugin interface, version 1. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define COUNTER_FILE 1000 /* as in instructions.h */
#define ADD_U64 0

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef uint64_t plugin_id;

extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*call)(plugin_id, struct qemu_plugin_tb *));
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
extern void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, int operation, void *address,
                                                       uint64_t value);

__attribute__((visibility("default"))) extern int qemu_plugin_version;
int qemu_plugin_version = 1;

static uint64_t *count;

static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
    size_t i, n = qemu_plugin_tb_n_insns(tb);

    (void)id;
    for (i = 0; i < n; ++i)
        qemu_plugin_register_vcpu_insn_exec_inline(qemu_plugin_tb_get_insn(tb, i), ADD_U64, count, 1);
}

__attribute__((visibility("default"))) int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv);
int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
    char name[] = "/tmp/cyclometer-count-XXXXXX";
    int file = mkstemp(name);

    (void)info;
    (void)argc;
    (void)argv;
    if (file < 0) return -1;
    (void)unlink(name);
    if (ftruncate(file, 4096) || dup2(file, COUNTER_FILE) != COUNTER_FILE) return -1;
    count = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    (void)close(file);
    if (count == MAP_FAILED) return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
