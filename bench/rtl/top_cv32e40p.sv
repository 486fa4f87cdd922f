// Common test-bench ports around cv32e40p_top.  -DRTL_FPU=1 gives the FPU; RTL_FPU_LAT its pipeline registers.
`ifndef RTL_FPU
`define RTL_FPU 0
`endif
`ifndef RTL_FPU_LAT
`define RTL_FPU_LAT 1
`endif
module rtl_top (
    input  logic        clk, rst_n,
    input  logic [31:0] boot_addr,
    output logic        i_req, input logic i_gnt, i_rvalid, output logic [31:0] i_addr, input logic [31:0] i_rdata,
    output logic        d_req, input logic d_gnt, d_rvalid, output logic d_we, output logic [3:0] d_be,
    output logic [31:0] d_addr, d_wdata, input logic [31:0] d_rdata,
    output logic        ret_valid, ret_trap, output logic [31:0] ret_pc
);
  cv32e40p_top #(.FPU(`RTL_FPU), .FPU_ADDMUL_LAT(`RTL_FPU_LAT), .FPU_OTHERS_LAT(`RTL_FPU_LAT), .NUM_MHPMCOUNTERS(1)) u (
      .clk_i(clk), .rst_ni(rst_n), .pulp_clock_en_i(1'b1), .scan_cg_en_i(1'b0),
      .boot_addr_i(boot_addr), .mtvec_addr_i(boot_addr), .dm_halt_addr_i(32'h0), .hart_id_i(32'h0), .dm_exception_addr_i(32'h0),
      .instr_req_o(i_req), .instr_gnt_i(i_gnt), .instr_rvalid_i(i_rvalid), .instr_addr_o(i_addr), .instr_rdata_i(i_rdata),
      .data_req_o(d_req), .data_gnt_i(d_gnt), .data_rvalid_i(d_rvalid), .data_we_o(d_we), .data_be_o(d_be),
      .data_addr_o(d_addr), .data_wdata_o(d_wdata), .data_rdata_i(d_rdata),
      .irq_i(32'h0), .irq_ack_o(), .irq_id_o(), .debug_req_i(1'b0), .debug_havereset_o(), .debug_running_o(), .debug_halted_o(),
      .fetch_enable_i(1'b1), .core_sleep_o());
  // An instruction that leaves ID is never killed afterwards on this core (no PMP, no bus errors), so this is retirement.
  // ecall, ebreak and illegal instructions are not in `minstret`; they are reported as traps.
  assign ret_valid = u.core_i.id_stage_i.minstret;
  assign ret_trap  = u.core_i.id_stage_i.controller_i.csr_save_cause_o;
  assign ret_pc    = u.core_i.pc_id;
endmodule
